"""`read`: the contents of a resource."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from inspector.cli.exit_codes import SUCCESS
from inspector.cli.options import add_meta_option, add_session_options
from inspector.cli.request_result import request_result
from inspector.cli.runner import run_connected

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from inspector.cli.console import Console
    from inspector.cli.options import Options
    from inspector.session.session import Session


def add_arguments(parser: ArgumentParser) -> None:
    """Add the URI and the options of a session."""
    parser.add_argument("args", nargs=1, metavar="URI", help="URI of the resource")
    add_meta_option(parser)
    add_session_options(parser)


async def _show(session: Session, options: Options, console: Console) -> int:
    result = await request_result(
        session, "resources/read", {"uri": options.args[0]}, options, console
    )
    if options.json:
        return SUCCESS
    contents = result.get("contents") if isinstance(result, dict) else None
    if not isinstance(contents, list) or not contents:
        console.out_value(result)
        return SUCCESS
    for content in contents:
        text = content.get("text") if isinstance(content, dict) else None
        console.out(text) if isinstance(text, str) else console.out_value(content)
    return SUCCESS


run = partial(run_connected, _show)
