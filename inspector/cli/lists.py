"""`tools`, `resources` and `prompts`: what the server lists, one line an item."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from inspector.cli.exit_codes import ERROR_RESPONSE, SUCCESS
from inspector.cli.json_output import finding_to_json
from inspector.cli.stderr_report import finding_lines
from inspector.features.prompts import Prompts
from inspector.features.resources import Resources
from inspector.features.tools import Tools

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.cli.console import Console
    from inspector.cli.options import Options
    from inspector.session.listing import Listing
    from inspector.session.session import Session
    from inspector.spec.view import View
    from inspector.spec.views.prompt import PromptView
    from inspector.spec.views.resource import Addressed
    from inspector.spec.views.tool import ToolView
    from inspector.wire.jsontext import Json, JsonObject

T = TypeVar("T", bound="View")


async def show_tools(session: Session, options: Options, console: Console) -> int:
    """Print the tools.

    Raises:
        InspectorError: the list could not be read; what came before is printed.
    """
    tools = Tools(session)
    await _read(console, tools)
    if options.json:
        console.out_json(_document("tools", tools))
    cells = None if options.json else _tool_cells
    return _finish(console, tools, "tools", cells, has_findings=not options.quiet)


async def show_resources(session: Session, options: Options, console: Console) -> int:
    """Print the resources, then the templates.

    Raises:
        InspectorError: a list could not be read; what came before is printed.
    """
    resources = Resources(session)
    templates = resources.templates
    await _read(console, resources)
    await templates.refresh()
    if options.json:
        document = _document("resources", resources)
        console.out_json({**document, "templates": _document("resourceTemplates", templates)})
    cells = None if options.json else _address_cells
    found = not options.quiet
    code = _finish(console, resources, "resources", cells, has_findings=found)
    other = _finish(console, templates, "resource templates", cells, has_findings=found)
    return max(code, other)


async def show_prompts(session: Session, options: Options, console: Console) -> int:
    """Print the prompts.

    Raises:
        InspectorError: the list could not be read; what came before is printed.
    """
    prompts = Prompts(session)
    await _read(console, prompts)
    if options.json:
        console.out_json(_document("prompts", prompts))
    cells = None if options.json else _prompt_cells
    return _finish(console, prompts, "prompts", cells, has_findings=not options.quiet)


async def _read(console: Console, listing: Listing[T]) -> None:
    if not listing.offered:
        console.err(f"the server does not declare “{listing.capability}”; requested anyway")
    await listing.refresh()


def _finish(
    console: Console,
    listing: Listing[T],
    noun: str,
    cells: Callable[[T], tuple[str, ...]] | None,
    *,
    has_findings: bool,
) -> int:
    """Print the rows of a list (none for `--json`) and return the exit code.

    With `has_findings`, what was found about the frames is printed later, and only what concerns the list as a whole now.

    Raises:
        InspectorError: the list could not be read to its end.
    """
    if cells is not None:
        console.out_table([cells(item) for item in listing.items])
    notes = [note for note in listing.notes if not has_findings or not note.place]
    for line in finding_lines(notes, listing.method):
        console.err(line)
    if listing.failure is not None:
        raise listing.failure
    if listing.is_unusable:
        console.err(listing.words(noun))
        console.err(
            f"    Let the server respond to {listing.method} with an object that has the list as a member."
        )
        return ERROR_RESPONSE
    if not listing.items:
        console.err(f"no {noun}")
    return SUCCESS


def _document(name: str, listing: Listing[T]) -> JsonObject:
    return {
        name: [item.raw for item in listing.items],
        "notes": [finding_to_json(note) for note in listing.notes],
        "more": listing.more,
    }


def _tool_cells(tool: ToolView) -> tuple[str, str, str]:
    return tool.name_label, _arguments(tool), tool.description or tool.title


def _address_cells(item: Addressed) -> tuple[str, str, str]:
    return item.address_label, item.mime_type, item.description or item.label


def _prompt_cells(prompt: PromptView) -> tuple[str, str, str]:
    names = [
        name if argument.required else f"{name}?"
        for argument in prompt.arguments
        if (name := argument.name)
    ]
    return prompt.name_label, f"({', '.join(names)})", prompt.description or prompt.title


def _arguments(tool: ToolView) -> str:
    """Return the names of the arguments in brackets, those that may be left out with a question mark."""
    schema = tool.input_schema if isinstance(tool.input_schema, dict) else {}
    properties, required = schema.get("properties"), schema.get("required")
    if not isinstance(properties, dict):
        return "()"
    needed: list[Json] = required if isinstance(required, list) else []
    return f"({', '.join(name if name in needed else f'{name}?' for name in properties)})"
