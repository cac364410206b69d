"""`request`: any request, and its result."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from inspector.cli.call_arguments import add_name_and_arguments
from inspector.cli.exit_codes import SUCCESS
from inspector.cli.options import add_meta_option, add_session_options
from inspector.cli.request_result import request_result, typed_arguments
from inspector.cli.runner import run_connected
from inspector.errors import RequestAborted
from inspector.wire import json_codec

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from inspector.cli.console import Console
    from inspector.cli.options import Options
    from inspector.session.session import Session


def add_arguments(parser: ArgumentParser) -> None:
    """Add the method, its params and the options of a session."""
    add_name_and_arguments(parser, "METHOD", "the method, and its params as JSON")
    add_meta_option(parser)
    add_session_options(parser)


async def _show(session: Session, options: Options, console: Console) -> int:
    params = typed_arguments(options)
    if not isinstance(params, dict):
        raise RequestAborted(
            "the params of a request are a JSON object in MCP",
            hint="Use raw to send anything else.",
        )
    result = await request_result(session, options.args[0], params, options, console)
    if not options.json:
        console.out(json_codec.write(result, indent=2))
    return SUCCESS


run = partial(run_connected, _show)
