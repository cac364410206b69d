"""`tools`, `resources` and `prompts`: what the server lists, one line an item."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from inspector.cli.codes import FINE, REFUSED
from inspector.cli.documents import finding_of
from inspector.cli.telling import finding_lines
from inspector.features.prompts import Prompts
from inspector.features.resources import Resources
from inspector.features.tools import Tools

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.cli.options import Options
    from inspector.cli.screen import Screen
    from inspector.session.listing import Listing
    from inspector.session.session import Session
    from inspector.spec.view import View
    from inspector.spec.views.prompt import PromptView
    from inspector.spec.views.resource import Addressed
    from inspector.spec.views.tool import ToolView
    from inspector.wire.jsontext import Json, JsonObject

T = TypeVar("T", bound="View")


async def show_tools(session: Session, options: Options, screen: Screen) -> int:
    """Print the tools.

    Raises:
        InspectorError: the list could not be read; what came before is printed.
    """
    tools = Tools(session)
    await _read(screen, tools)
    if options.json:
        screen.print_json(_document("tools", tools))
    cells = None if options.json else _tool_cells
    return _finish(screen, tools, "tools", cells, has_findings=not options.quiet)


async def show_resources(session: Session, options: Options, screen: Screen) -> int:
    """Print the resources, then the templates.

    Raises:
        InspectorError: a list could not be read; what came before is printed.
    """
    resources = Resources(session)
    templates = resources.templates
    await _read(screen, resources)
    await templates.refresh()
    if options.json:
        document = _document("resources", resources)
        screen.print_json({**document, "templates": _document("resourceTemplates", templates)})
    cells = None if options.json else _address_cells
    found = not options.quiet
    code = _finish(screen, resources, "resources", cells, has_findings=found)
    other = _finish(screen, templates, "resource templates", cells, has_findings=found)
    return max(code, other)


async def show_prompts(session: Session, options: Options, screen: Screen) -> int:
    """Print the prompts.

    Raises:
        InspectorError: the list could not be read; what came before is printed.
    """
    prompts = Prompts(session)
    await _read(screen, prompts)
    if options.json:
        screen.print_json(_document("prompts", prompts))
    cells = None if options.json else _prompt_cells
    return _finish(screen, prompts, "prompts", cells, has_findings=not options.quiet)


async def _read(screen: Screen, listing: Listing[T]) -> None:
    if not listing.offered:
        screen.tell(f"the server does not declare “{listing.capability}”; requested anyway")
    await listing.refresh()


def _finish(
    screen: Screen,
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
        screen.say_table([cells(item) for item in listing.items])
    notes = [note for note in listing.notes if not has_findings or not note.place]
    for line in finding_lines(notes, listing.method):
        screen.tell(line)
    if listing.failure is not None:
        raise listing.failure
    if listing.is_unusable:
        screen.tell(listing.words(noun))
        screen.tell(
            f"    Let the server respond to {listing.method} with an object that has the list as a member."
        )
        return REFUSED
    if not listing.items:
        screen.tell(f"no {noun}")
    return FINE


def _document(name: str, listing: Listing[T]) -> JsonObject:
    return {
        name: [item.raw for item in listing.items],
        "notes": [finding_of(note) for note in listing.notes],
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
