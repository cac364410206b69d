"""`resources`: the resources and resource templates of a server."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from inspector.cli.item_lists import list_to_json, print_list, read_list
from inspector.cli.options import add_session_options
from inspector.cli.runner import run_connected
from inspector.features.resources import Resources

if TYPE_CHECKING:
    from inspector.cli.console import Console
    from inspector.cli.options import Options
    from inspector.session.session import Session
    from inspector.spec.views.resource import Addressed


async def _show(session: Session, options: Options, console: Console) -> int:
    resources = Resources(session)
    templates = resources.templates
    await read_list(console, resources)
    await templates.refresh()
    if options.json:
        document = list_to_json("resources", resources)
        templates_document = list_to_json("resourceTemplates", templates)
        console.out_json({**document, "templates": templates_document})
    cells = None if options.json else _cells
    found = not options.quiet
    code = print_list(console, resources, "resources", cells, has_findings=found)
    other = print_list(console, templates, "resource templates", cells, has_findings=found)
    return max(code, other)


def _cells(item: Addressed) -> tuple[str, str, str]:
    return item.id_label, item.mime_type, item.description or item.label


add_arguments = add_session_options
run = partial(run_connected, _show)
