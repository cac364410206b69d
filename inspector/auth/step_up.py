"""What an operation needs that the token does not allow: in words, for the limit of authorizations that one operation may cause. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.wire.message import read as read_message

if TYPE_CHECKING:
    from inspector.auth.grant import Grant
    from inspector.transport.http.credentials import Refusal
    from inspector.wire.challenge import Challenges


def still_wanted(operation: str, found: Challenges, held: Grant | None) -> str:
    """What a server wants in spite of an authorization for more scopes."""
    wanted = " ".join(found.scopes) or "a scope that it does not name"
    text = f"{operation} still needs {wanted}"
    if held is None:
        return text
    asked, granted = " ".join(held.scopes), " ".join(held.tokens.scopes)
    return f"{text}; requested were {asked or 'none'}, granted were {granted or 'none'}"


def operation(refusal: Refusal) -> str:
    """What a request asks for, as the user would call it."""
    if not refusal.message:
        return refusal.verb
    message = read_message(refusal.message)
    params = message.params
    named = (params.get("name") or params.get("uri")) if isinstance(params, dict) else None
    return f"{message.method} {named}" if isinstance(named, str) else message.method
