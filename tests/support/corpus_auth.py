"""Cases of the corpus about authorization: both servers and the browser of a case in one, without a network."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, cast
from urllib.parse import parse_qsl, urlencode, urlsplit

from msgspec.structs import replace

from inspector.auth.flow import Flow, FlowFailed
from inspector.auth.messages import JSON, HttpRequest, HttpResponse
from inspector.auth.settings import Settings, Way
from inspector.auth.state import State
from inspector.auth.user_agent import do_nothing
from inspector.spec.revision import NEWEST
from inspector.wire import challenge
from tests.support.corpus import case

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.auth.check import Check
    from inspector.auth.client import Client
    from inspector.wire.json_codec import Json, JsonObject

AS = "https://as.test"
REDIRECT_URI = "http://127.0.0.1:5/callback"
PRM = "/.well-known/oauth-protected-resource"
CODE = Settings(way=Way.CODE)


def entries(name: str) -> list[tuple[int, JsonObject]]:
    """The number and the input of each variant of a case, from 1; of the case itself, as 0, where it has none."""
    given = cast("JsonObject", case(name)["input"])
    if "headerVariants" in given:
        headers = cast("list[str]", given["headerVariants"])
        return [(number, {**given, "header": each}) for number, each in enumerate(headers, 1)]
    variants = cast("list[JsonObject]", given.get("variants", []))
    return [(n, {**given, **each}) for n, each in enumerate(variants, 1)] or [(0, given)]


class Hosts:
    """What is reached in a case: `rs.test`, the server, and every other host, an authorization server."""

    def __init__(self, given: JsonObject) -> None:
        """Answer as `given` says, and rightly where it says nothing."""
        self.sent: list[HttpRequest] = []
        """Every request, in order."""
        self.visited: list[str] = []
        """What the browser was to open."""
        self.url = str(given.get("url", "https://rs.test/mcp"))
        self._given = given

    def state(self, settings: Settings = CODE) -> State:
        """What is known after the first refusal."""
        header = self._given.get("header")
        fields = [str(header)] if header is not None else []
        return State(self.url, NEWEST, settings, challenge.read(fields), 401)

    def flow(self, settings: Settings = CODE, stored: Client | None = None) -> Flow:
        """The authorization, not yet run."""

        async def known(issuer: str) -> Client | None:
            return stored if stored is not None and stored.issuer == issuer else None

        return Flow(self.state(settings), self, self, stored_client=known)

    @property
    def asked(self) -> dict[str, str]:
        """The parameters of the authorization request."""
        return dict(parse_qsl(urlsplit(self.visited[-1]).query))

    def hosts(self) -> set[str]:
        """The hosts that something was sent to."""
        return {urlsplit(each.url).netloc for each in self.sent}

    # Exchanges

    async def send(self, request: HttpRequest) -> HttpResponse:
        """Answer a request."""
        self.sent.append(request)
        parts = urlsplit(request.url)
        if parts.netloc == "rs.test":
            return self._of_server(parts.path)
        if request.verb == "POST":
            return self._posted(parts.path)
        if parts.path.startswith("/.well-known/oauth-authorization-server"):
            return _json(self._given.get("asm") or _metadata(f"https://{parts.netloc}"))
        return HttpResponse(404)

    async def aclose(self) -> None:
        """Nothing was opened."""

    # Browser

    async def start(self) -> str:
        """Where callbacks go."""
        return REDIRECT_URI

    async def visit(self, url: str, on_page_ready: Callable[[], object] = do_nothing) -> str:
        """Log in at once."""
        on_page_ready()
        self.visited.append(url)
        return f"{REDIRECT_URI}?{urlencode({'code': 'c', 'state': self.asked['state']})}"

    def paste(self, url: str) -> str:
        return f"{url} is not awaited"

    async def stop(self) -> None:
        """Nothing listens."""

    def _of_server(self, path: str) -> HttpResponse:
        routes = cast("JsonObject", self._given.get("routes", {}))
        own = urlsplit(self.url).path
        places = {"/m": None, f"{PRM}{own}": "pathDoc", PRM: "rootDoc"}
        if path in routes:
            return _answer(routes[path], routes[path])
        if path not in places:
            return HttpResponse(404)
        right: JsonObject = {"resource": self.url, "authorization_servers": [AS]}
        how = self._given.get(places[path] or "", 200)
        return _answer(how, self._given.get("prm", right))

    def _posted(self, path: str) -> HttpResponse:
        if path == "/register":
            return _json({"client_id": "registered"}, 201)
        token = self._given.get("token")
        if not isinstance(token, dict):
            return _json({"access_token": "access", "token_type": "Bearer", "expires_in": 60})
        if "json" in token:
            return _json(token["json"], cast("int", token["status"]))
        names = {"type": "Content-Type", "location": "Location"}
        headers = tuple((names[each], str(token[each])) for each in names if each in token)
        return HttpResponse(
            cast("int", token["status"]), headers, str(token.get("body", "")).encode()
        )


async def failure(flow: Flow) -> FlowFailed | None:
    """Why a flow fails; None where it comes to its end."""
    try:
        await flow.run()
    except FlowFailed as failed:
        return failed
    return None


def checks(flow: Flow) -> list[Check]:
    """Everything that was checked."""
    return [check for step in flow.steps for check in step.checks]


def told(flow: Flow) -> str:
    """Everything that is shown of a flow."""
    lines = [f"{step.reason} {step.problem} {step.hint}" for step in flow.steps]
    return "\n".join((*lines, *(check.summary for check in checks(flow))))


def waiving(failed: FlowFailed) -> Settings:
    """Settings that let the server do what stopped the flow."""
    assert failed.step.waiver is not None
    return replace(CODE, waivers=frozenset({failed.step.waiver}))


def _metadata(issuer: str) -> JsonObject:
    return {
        "issuer": issuer,
        "authorization_endpoint": f"{issuer}/authorize",
        "token_endpoint": f"{issuer}/token",
        "registration_endpoint": f"{issuer}/register",
        "response_types_supported": ["code"],
        "code_challenge_methods_supported": ["S256"],
    }


def _answer(how: Json, value: Json) -> HttpResponse:
    """A status alone, a status with a kind of body, or the document itself."""
    if isinstance(how, dict):
        return _json(how)
    if how == 200:
        return _json(value)
    status, _, kind = str(how).partition(" ")
    headers = (("Content-Type", kind),) if kind else ()
    return HttpResponse(int(status), headers, b"<html>" if kind else b"")


def _json(value: Json, status: int = 200) -> HttpResponse:
    return HttpResponse(status, (("Content-Type", JSON),), json.dumps(value).encode())
