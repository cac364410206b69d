"""What is told of a server in words: who it is, how the two came to speak, what is odd about it. Pure functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.config.profile import endpoint_text
from inspector.session.negotiation import is_pinned
from inspector.session.transport_factory import transport_kind
from inspector.visible_text import one_line, visible
from inspector.wire import json_codec
from ui.widgets.key_values import KeyValue
from ui.widgets.units import plural

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.session.protocol_mode import Agreement
    from inspector.session.session import Session
    from inspector.spec.view import View
    from inspector.wire.json_codec import JsonObject
    from inspector.workspace import OpenSession

VALUE_LIMIT = 200
"""Characters shown of a value that nobody defined."""

UNKNOWN_SERVER = "The server did not respond to server/discover, so its name and capabilities are unknown. All features stay available."
"""In the place of what is odd about an answer that never came."""

ODDITIES = 30
"""Lines about what is odd; *The answer as it came* has everything."""


def identity(opened: OpenSession, greeting: Agreement) -> list[KeyValue]:
    """Who the server says it is, and how it is reached."""
    server, session = greeting.server.server, opened.session
    icons = plural(len(server.icons), "icon") + " (not loaded)" if server.icons else ""
    facts = [
        KeyValue("Name", server.name),
        KeyValue("Version", server.version),
        KeyValue("Description", server.description, mono=False),
        KeyValue("Website", server.website_url, "Not opened automatically"),
        KeyValue("Icons", icons, mono=False),
        KeyValue("Revision", _revision_words(session, greeting), mono=False),
        KeyValue("Supports", _supported(greeting), "Protocol revisions reported by the server"),
        KeyValue("Extensions", one_line(", ".join(greeting.extensions), VALUE_LIMIT)),
        KeyValue("Transport", transport_kind(session.transport_name).badge, mono=False),
        KeyValue(
            "Command" if transport_kind(session.profile.transport).is_process else "URL",
            endpoint_text(session.profile),
        ),
    ]
    return [fact for fact in facts if fact.value]


def anomalies(greeting: Agreement, other: str = "") -> list[str]:
    """What is wrong with the greeting, and what its revision does not define; `other` is the server that results name instead."""
    if not greeting.is_told:
        return [f"⚠ {UNKNOWN_SERVER}"]
    server = greeting.server
    lines = [f"⚠ {visible(note.summary)}" for note in server.notes]
    if other:
        named = one_line(other, VALUE_LIMIT)
        lines.insert(0, f"⚠ Results come from another server: {named}. Reconnect to discover it.")
    lines += _unknown(server, greeting, "")
    lines += _unknown(server.server, greeting, "serverInfo.")
    rest = len(lines) - ODDITIES
    return [*lines[:ODDITIES], f"and {rest:,} more"] if rest > 0 else lines


def _unknown(view: View, greeting: Agreement, prefix: str) -> Iterator[str]:
    unknown: JsonObject = view.unknown
    for name, value in unknown.items():
        text = one_line(f"{prefix}{name} = {json_codec.write(value)}", VALUE_LIMIT)
        yield f"Not defined in {greeting.revision}: {text}"


def _supported(greeting: Agreement) -> str:
    """The revisions that the server names, where it names more than the one that is spoken."""
    named = greeting.server.supported_versions
    return one_line(", ".join(named), VALUE_LIMIT) if len(named) > 1 else ""


def _revision_words(session: Session, greeting: Agreement) -> str:
    how = "pinned" if is_pinned(session.profile.revision) else "automatic"
    if not greeting.revision.stateful:
        found = (
            "discovered with server/discover" if greeting.is_told else "not confirmed by the server"
        )
        return f"{greeting.revision} · stateless · {found} · {how}"
    if greeting.offered == greeting.revision:
        return f"{greeting.revision} · initialize: requested and accepted · {how}"
    chosen = f"initialize: requested {greeting.offered}, server chose this"
    return f"{greeting.revision} · {chosen} · {how}"
