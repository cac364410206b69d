"""`info`: who the server is, what was agreed, what both sides declared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.cli.codes import FINE
from inspector.cli.documents import result_of, steps_of
from inspector.spec import capabilities
from inspector.spec.method import Side

if TYPE_CHECKING:
    from inspector.cli.options import Options
    from inspector.cli.screen import Screen
    from inspector.session.era import Greeting
    from inspector.session.session import Session
    from inspector.spec.capabilities import CapabilityRow
    from inspector.wire.jsontext import Json


async def show(session: Session, options: Options, screen: Screen) -> int:
    """Print what the handshake told."""
    greeting = session.greeting
    assert greeting is not None
    if options.json:
        screen.print_json(_document(session, greeting))
        return FINE
    _say_server(screen, greeting)
    _say_capabilities(screen, "The server declares", greeting.server.capabilities, greeting)
    _say_capabilities(screen, "Spyglass declares", session.client_capabilities, greeting)
    if greeting.server.instructions:
        screen.say(f"\nInstructions\n{_indented(greeting.server.instructions)}")
    return FINE


def _document(session: Session, greeting: Greeting) -> Json:
    return {
        "revision": greeting.revision.date,
        "offered": greeting.offered.date,
        "result": result_of(session.transcript.message(greeting.frame)),
        "clientCapabilities": session.client_capabilities,
        "steps": steps_of(session.steps),
    }


def _say_server(screen: Screen, greeting: Greeting) -> None:
    server = greeting.server.server
    rows = [
        ("Server", server.label or "(it did not say)"),
        ("Name", server.name if server.title else ""),
        ("Version", server.version),
        ("About", server.description),
        ("Website", server.website_url),
        ("Revision", greeting.revision.date),
        ("Asked for", "" if greeting.offered == greeting.revision else greeting.offered.date),
    ]
    screen.say_table([row for row in rows if row[1]])


def _say_capabilities(screen: Screen, title: str, declared: Json, greeting: Greeting) -> None:
    side = Side.SERVER if declared is greeting.server.capabilities else Side.CLIENT
    screen.say(f"\n{title}")
    rows = capabilities.rows(declared, side, greeting.revision)
    screen.say_table([_cells(row) for row in rows], "  ")


def _cells(row: CapabilityRow) -> tuple[str, str, str]:
    mark = "yes" if row.declared else "-"
    notes = "; ".join(finding.words for finding in row.findings)
    return "  " * row.depth + row.label, mark, f"{row.words} [{notes}]" if notes else row.words


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.rstrip().split("\n"))
