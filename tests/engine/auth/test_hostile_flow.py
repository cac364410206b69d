"""Servers that answer anything at any step: a flow ends with tokens or a sentence, and in bounded time."""

from __future__ import annotations

import asyncio
import contextlib
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.auth.client import Client, Origin
from inspector.auth.flow import MAX_STEPS
from inspector.auth.messages import HttpRequest, HttpResponse
from inspector.auth.settings import Settings, Waiver, Way
from inspector.auth.user_agent import do_nothing
from inspector.errors import AuthError
from tests.support.scripted_flow import ISSUER, SERVER, Script, flow_of, refused

if TYPE_CHECKING:
    from collections.abc import Callable

_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=8)
    | st.sampled_from([ISSUER, SERVER]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=6,
)
_NAMES = st.sampled_from(
    [
        "resource",
        "authorization_servers",
        "issuer",
        "token_endpoint",
        "authorization_endpoint",
        "client_id",
        "error",
        "access_token",
        "token_type",
        "expires_in",
        "scope",
        "client_secret",
        "scopes_supported",
    ]
)
_BODIES = st.dictionaries(_NAMES, _JSON, max_size=8).map(
    lambda v: json.dumps(v).encode()
) | st.binary(max_size=30)
_HEADERS = st.sampled_from(
    [(), (("DPoP-Nonce", "n"),), (("Content-Type", "text/html"),), (("Location", "\x00"),)]
)
_ANSWERS = st.builds(
    HttpResponse,
    status=st.sampled_from([0, 200, 201, 302, 400, 401, 404, 500]),
    headers=_HEADERS,
    body=_BODIES,
    problem=st.sampled_from(["", "", "", "the connection was cut"]),
)
_SETTINGS = st.builds(
    Settings,
    way=st.sampled_from([each for each in Way if each is not Way.NONE]),
    client_id=st.sampled_from(["", "me"]),
    waivers=st.frozensets(st.sampled_from(list(Waiver))),
    always_dpop=st.booleans(),
    issuer=st.sampled_from(["", ISSUER, "x"]),
    client_metadata_url=st.sampled_from(["", "https://client.example/about.json", "x"]),
    serves_client_metadata=st.booleans(),
    scopes=st.sampled_from([(), ("a",)]),
    idp_token_endpoint=st.sampled_from(["", "https://idp.example/token"]),
)


@dataclass
class Anything(Script):
    """What is right, or in its place one of the answers that are left."""

    left: list[HttpResponse | None] = field(default_factory=list["HttpResponse | None"])
    back: str = ""
    """The callback; empty for the right one."""

    async def send(self, request: HttpRequest) -> HttpResponse:
        """Answer."""
        other = self.left.pop(0) if self.left else None
        return other if other is not None else await super().send(request)

    async def visit(self, url: str, on_page_ready: Callable[[], object] = do_nothing) -> str:
        """Go back."""
        return self.back or await super().visit(url, on_page_ready)


@settings(deadline=None, max_examples=150)
@given(
    st.lists(st.none() | _ANSWERS, max_size=8),
    st.sampled_from(["", "x", "http://127.0.0.1:5/callback?state=&iss=%ff&code"]),
    _SETTINGS,
    st.sampled_from(["Bearer", 'DPoP scope="a"', 'Bearer resource_metadata="x:y"', "", "é"]),
    st.lists(st.sampled_from(["invalid_scope", "access_denied", ""]), max_size=3),
    st.sampled_from([None, Client(ISSUER, "stored", origin=Origin.STORED)]),
)
def test_whatever_the_servers_answer_a_flow_ends_with_tokens_or_a_sentence(
    answers: list[HttpResponse | None],
    back: str,
    chosen: Settings,
    challenged: str,
    refusals: list[str],
    stored: Client | None,
) -> None:
    """Ours: never another exception."""
    script = Anything(left=[*answers], back=back, refusals=[*refusals])
    flow = flow_of(script, refused(challenged, chosen), stored)

    async def run() -> None:
        with contextlib.suppress(AuthError):
            assert await flow.run() is not None

    asyncio.run(run())
    assert len(flow.steps) <= MAX_STEPS
    assert all(step.reason or step.problem for step in flow.steps)
