"""The secrets of an authorization, as the server at the other end saw them, to be looked for in what is left behind."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, quote, quote_plus, urlsplit

from inspector.wire.redaction import OAUTH_NAMES

if TYPE_CHECKING:
    from inspector.auth.grant import Grant
    from inspector.auth.settings import Settings
    from tests.support.protected import Protected


def secrets_of(server: Protected, settings: Settings, grant: Grant | None) -> set[str]:
    """Every value of a flow that nobody may find: of forms, addresses and headers, of tokens, settings and keys."""
    found = {"the-code", *server.issued, *settings.secrets}
    for asked in server.stub.asked:
        form = asked.body.decode("utf-8", "replace") if asked.verb == "POST" else ""
        for text in (urlsplit(asked.path).query, form):
            fields = parse_qs(text)
            found |= {v for name in OAUTH_NAMES & fields.keys() for v in fields[name]}
        for name in ("authorization", "dpop"):
            found.add(asked.headers.get(name, "").rpartition(" ")[2])
    if grant is not None and grant.dpop_key:
        found |= {grant.dpop_key, json.loads(grant.dpop_key)["d"]}
    return found - {""}


def traces(secrets: set[str], text: bytes) -> list[str]:
    """The secrets that stand in a text, in whatever way they are spelled; those of several lines are known by their longest one."""
    return [secret for secret in sorted(secrets) if any(each in text for each in _spelled(secret))]


def _spelled(secret: str) -> set[bytes]:
    line = max(secret.split("\n"), key=len)
    spelled = {line, quote(line, safe=""), quote_plus(line), json.dumps(line)[1:-1]}
    raw = base64.b64encode(line.encode()).rstrip(b"=").decode()
    return {each.encode() for each in (*spelled, raw)}
