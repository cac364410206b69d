"""Challenges of HTTP: what a refusal says about the scopes and the authorization that are missing.

Source: basic/authorization, "Runtime Insufficient Scope Errors" and "Scope Challenge Handling".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.finding import Severity
from inspector.rules.rule import HTTP_ONLY, On, Rule, Subject
from inspector.spec.findings import make_finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.checks.history import History
    from inspector.checks.http_exchanges import HttpFrame
    from inspector.finding import Finding

UNAUTHORIZED, FORBIDDEN = 401, 403

_PARAMETER = re.compile(r'(?<!\w)(\w+)\s*=\s*(?:"([^"]*)"|([^\s,]+))')


def parameters(challenge: str) -> dict[str, str]:
    """Return the parameters of a `WWW-Authenticate` header, by name in lower case."""
    found = _PARAMETER.findall(challenge[:4096])
    return {name.lower(): quoted or bare for name, quoted, bare in found}


def _challenge(frame: HttpFrame) -> str:
    return frame.exchange.received.get("www-authenticate", "")


def check_insufficient_scope(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that a refusal because of scopes does not say which are missing."""
    del history
    given = parameters(_challenge(frame))
    wanting = [name for name in ("error", "scope", "resource_metadata") if not given.get(name)]
    if frame.exchange.status != FORBIDDEN:
        text = f"`insufficient_scope` should be sent with HTTP 403, not {frame.exchange.status}"
    elif wanting:
        text = f"the challenge of HTTP 403 lacks {', '.join(f'`{name}`' for name in wanting)}"
    else:
        return
    yield make_finding("L-AUT-11", text, "", frame.revision)


def _is_about_scope(frame: HttpFrame, history: History) -> bool:
    del history
    challenge = _challenge(frame).lower()
    is_refused = frame.exchange.status == FORBIDDEN and challenge.startswith("bearer")
    return is_refused or "insufficient_scope" in challenge


def check_agreement(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that HTTP 401 comes with a challenge for some methods of HTTP and without one for others, once."""
    is_given = bool(_challenge(frame))
    others = {has for verb, has in history.http.challenges.items() if verb != frame.exchange.verb}
    if others and is_given not in others and history.is_first("L-AUT-24"):
        text = f"HTTP 401 {'has' if is_given else 'lacks'} `WWW-Authenticate` for {frame.exchange.verb}, unlike for other HTTP methods"
        yield make_finding("L-AUT-24", text, "", frame.revision)


def _is_unauthorized(frame: HttpFrame, history: History) -> bool:
    del history
    return frame.exchange.status == UNAUTHORIZED


RULES = (
    Rule(
        "L-AUT-11",
        Severity.WARNING,
        "authorization",
        "insufficient scope without a complete challenge",
        why="Clients cannot request the scope, and the call keeps failing.",
        hint="Send HTTP 403 with `error`, `scope` and `resource_metadata` in `WWW-Authenticate`.",
        section="Runtime Insufficient Scope Errors",
        level="SHOULD",
        since=4,
        transports=HTTP_ONLY,
        on=(On(Subject.HTTP),),
        check=check_insufficient_scope,
        when=_is_about_scope,
    ),
    Rule(
        "L-AUT-24",
        Severity.INFO,
        "authorization",
        "401 challenge differs between HTTP methods",
        why="Clients log in for one request and fail at the next.",
        hint="Send the same challenge with every HTTP 401.",
        level="quality",
        since=2,
        transports=HTTP_ONLY,
        on=(On(Subject.HTTP),),
        check=check_agreement,
        when=_is_unauthorized,
    ),
)
