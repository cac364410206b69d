"""`info`, `tools`, `resources`, `templates` and `prompts`: what a server declares and lists, one line an item."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, TypeVar

from inspector.cli.command import ERROR_RESPONSE, SUCCESS
from inspector.cli.console import indented
from inspector.cli.findings_report import finding_lines
from inspector.cli.json_output import finding_to_json, result_to_json, steps_to_json
from inspector.cli.runner import session_command
from inspector.features.prompts import Prompts
from inspector.features.resources import TEMPLATES, Resources
from inspector.features.tools import Tools
from inspector.rules import RULES
from inspector.session.paginated_list import PaginatedList
from inspector.spec import capabilities
from inspector.spec.method import Side

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Callable

    from inspector.cli.console import Console
    from inspector.cli.options import Options
    from inspector.session.protocol_mode import Agreement
    from inspector.session.session import Session
    from inspector.spec.capabilities import CapabilityRow
    from inspector.spec.views.list_page import ListedView
    from inspector.spec.views.prompt import PromptView
    from inspector.spec.views.resource import Addressed, TemplateView
    from inspector.spec.views.tool import ToolView
    from inspector.wire.json_codec import Json, JsonObject

T = TypeVar("T", bound="ListedView")

_TEMPLATES = "resourceTemplates"
_NOUNS = {_TEMPLATES: "resource templates"}


def _add_nothing(parser: ArgumentParser) -> None:
    del parser


async def _show_info(session: Session, options: Options, console: Console) -> int:
    """Print the server, its revision and the capabilities of both sides."""
    greeting = session.greeting
    assert greeting is not None
    if options.json:
        console.out_json(_info_to_json(session, greeting))
        return SUCCESS
    _print_server(console, greeting)
    _print_capabilities(console, "Server capabilities", greeting.server.capabilities, greeting)
    _print_capabilities(console, "Client capabilities", session.client_capabilities, greeting)
    if greeting.server.instructions:
        console.out(f"\nInstructions\n{indented(greeting.server.instructions.rstrip(), 2)}")
    return SUCCESS


def _info_to_json(session: Session, greeting: Agreement) -> Json:
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
    console.out_table([_capability_cells(row) for row in rows], "  ")


def _capability_cells(row: CapabilityRow) -> tuple[str, str, str]:
    mark = "yes" if row.declared else "-"
    notes = "; ".join(finding.summary for finding in row.findings)
    return "  " * row.depth + row.label, mark, f"{row.summary} [{notes}]" if notes else row.summary


async def show_list(
    make: Callable[[Session], PaginatedList[T]],
    member: str,
    cells: Callable[[T], tuple[str, ...]],
    session: Session,
    options: Options,
    console: Console,
) -> int:
    """Print the list that `make` returns, a row of `cells` for each item; as JSON, it is in `member`. Returns the exit code."""
    listing = make(session)
    await _read_list(console, listing)
    if options.json:
        document = _list_to_json(member, listing)
        if listing.failure is None:
            console.out_json(document)
        else:
            console.unfinished = document
    return _print_list(console, listing, _NOUNS.get(member, member), cells, options)


async def _show_resources(session: Session, options: Options, console: Console) -> int:
    """Print resources and resource templates; as JSON, both are in one document."""
    resources = Resources(session)
    templates = resources.templates
    await _read_list(console, resources)
    await templates.refresh()
    if options.json:
        document = _list_to_json("resources", resources)
        document["templates"] = _list_to_json(_TEMPLATES, templates)
        if resources.failure is None and templates.failure is None:
            console.out_json(document)
        else:
            console.unfinished = document
    code = _print_list(console, resources, "resources", _resource_cells, options)
    other = _print_list(console, templates, _NOUNS[_TEMPLATES], _resource_cells, options)
    return max(code, other)


def _templates(session: Session) -> PaginatedList[TemplateView]:
    return PaginatedList(session, TEMPLATES)


async def _read_list(console: Console, listing: PaginatedList[T]) -> None:
    """Read a list, also one that the server does not declare."""
    if not listing.offered:
        console.err(
            f"server does not declare {listing.capability}; sending {listing.method} anyway"
        )
    listing.detach()  # other commands may use the session after this one
    await listing.refresh()


def _print_list(
    console: Console,
    listing: PaginatedList[T],
    noun: str,
    cells: Callable[[T], tuple[str, ...]],
    options: Options,
) -> int:
    """Print the rows of a list unless it was printed as JSON, and return the exit code.

    Raises:
        InspectorError: the list could not be read to its end.
    """
    if not options.json:
        console.out_table([cells(item) for item in listing.items])
    # Findings of rules are printed at the end, unless validation is skipped; that there is more to read is none about the server.
    is_kept = RULES.keys() - ({"L-PAG-04"} if listing.more else set())
    notes = [note for note in listing.findings if options.quiet or note.rule not in is_kept]
    for line in finding_lines(notes, listing.method):
        console.err(line)
    if listing.failure is not None:
        raise listing.failure
    if listing.is_unusable:
        console.err(listing.status_text(noun))
        console.err(
            f"    Return an object with the list as an array in response to {listing.method}."
        )
        return ERROR_RESPONSE
    if not listing.items:
        console.err(f"no {noun}")
    return SUCCESS


def _list_to_json(name: str, listing: PaginatedList[T]) -> JsonObject:
    """Return a list with its findings."""
    return {
        name: [item.raw for item in listing.items],
        "notes": [finding_to_json(note) for note in listing.findings],
        "more": listing.more,
    }


def _tool_cells(tool: ToolView) -> tuple[str, str, str]:
    return tool.id_label, _tool_arguments(tool), tool.description or tool.title


def _tool_arguments(tool: ToolView) -> str:
    """Return the names of the arguments in brackets, those that may be left out with a question mark."""
    schema = tool.input_schema if isinstance(tool.input_schema, dict) else {}
    properties, required = schema.get("properties"), schema.get("required")
    if not isinstance(properties, dict):
        return "()"
    needed: list[Json] = required if isinstance(required, list) else []
    return f"({', '.join(name if name in needed else f'{name}?' for name in properties)})"


def _resource_cells(item: Addressed) -> tuple[str, str, str]:
    return item.id_label, item.mime_type, item.description or item.label


def _prompt_cells(prompt: PromptView) -> tuple[str, str, str]:
    names = [
        name if argument.required else f"{name}?"
        for argument in prompt.arguments
        if (name := argument.name)
    ]
    return prompt.id_label, f"({', '.join(names)})", prompt.description or prompt.title


info = session_command(
    _add_nothing,
    _show_info,
    "info -- npx -y @modelcontextprotocol/server-everything",
    "info --json -- http://127.0.0.1:3001/mcp",
)
tools = session_command(
    _add_nothing,
    partial(show_list, Tools, "tools", _tool_cells),
    "tools -- npx -y @modelcontextprotocol/server-everything",
    "tools --json --strict -- http://127.0.0.1:3001/mcp",
)
resources = session_command(
    _add_nothing,
    _show_resources,
    "resources -- npx -y @modelcontextprotocol/server-everything",
)
templates = session_command(
    _add_nothing,
    partial(show_list, _templates, _TEMPLATES, _resource_cells),
    "templates --json -- npx -y @modelcontextprotocol/server-everything",
)
prompts = session_command(
    _add_nothing,
    partial(show_list, Prompts, "prompts", _prompt_cells),
    "prompts -- npx -y @modelcontextprotocol/server-everything",
)
