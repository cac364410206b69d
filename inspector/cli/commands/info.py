"""`info`: the server, the revision in use, and the capabilities of both sides."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from inspector.cli.console import indented
from inspector.cli.exit_codes import SUCCESS
from inspector.cli.json_output import result_to_json, steps_to_json
from inspector.cli.options import add_session_options
from inspector.cli.runner import run_connected
from inspector.spec import capabilities
from inspector.spec.method import Side

if TYPE_CHECKING:
    from inspector.cli.console import Console
    from inspector.cli.options import Options
    from inspector.session.protocol_mode import Agreement
    from inspector.session.session import Session
    from inspector.spec.capabilities import CapabilityRow
    from inspector.wire.json_codec import Json


async def _show(session: Session, options: Options, console: Console) -> int:
    """Print the server, its revision and the capabilities of both sides."""
    greeting = session.greeting
    assert greeting is not None
    if options.json:
        console.out_json(_document(session, greeting))
        return SUCCESS
    _print_server(console, greeting)
    _print_capabilities(console, "Server capabilities", greeting.server.capabilities, greeting)
    _print_capabilities(console, "Client capabilities", session.client_capabilities, greeting)
    if greeting.server.instructions:
        console.out(f"\nInstructions\n{indented(greeting.server.instructions.rstrip(), 2)}")
    return SUCCESS


def _document(session: Session, greeting: Agreement) -> Json:
    return {
        "revision": greeting.revision.date,
        "offered": greeting.offered.date,
        "result": result_to_json(session.transcript.message(greeting.frame)),
        "clientCapabilities": session.client_capabilities,
        "steps": steps_to_json(session.steps),
    }


def _print_server(console: Console, greeting: Agreement) -> None:
    server = greeting.server.server
    rows = [
        ("Server", server.label or "(not reported)"),
        ("Name", server.name if server.title else ""),
        ("Version", server.version),
        ("Description", server.description),
        ("Website", server.website_url),
        ("Revision", greeting.revision.date),
        ("Requested", "" if greeting.offered == greeting.revision else greeting.offered.date),
    ]
    console.out_table([row for row in rows if row[1]])


def _print_capabilities(console: Console, title: str, declared: Json, greeting: Agreement) -> None:
    side = Side.SERVER if declared is greeting.server.capabilities else Side.CLIENT
    console.out(f"\n{title}")
    rows = capabilities.rows(declared, side, greeting.revision)
    console.out_table([_cells(row) for row in rows], "  ")


def _cells(row: CapabilityRow) -> tuple[str, str, str]:
    mark = "yes" if row.declared else "-"
    notes = "; ".join(finding.summary for finding in row.findings)
    return "  " * row.depth + row.label, mark, f"{row.summary} [{notes}]" if notes else row.summary


add_arguments = add_session_options
run = partial(run_connected, _show)
