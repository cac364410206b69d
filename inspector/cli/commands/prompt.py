"""`prompt`: the messages of a prompt."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from inspector.cli.call_arguments import add_name_and_arguments
from inspector.cli.exit_codes import SUCCESS
from inspector.cli.options import add_meta_option, add_session_options
from inspector.cli.request_result import request_result, typed_arguments
from inspector.cli.runner import run_connected
from inspector.spec.views.prompt import PromptResult

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from inspector.cli.console import Console
    from inspector.cli.options import Options
    from inspector.session.session import Session
    from inspector.wire.json_codec import JsonObject


def add_arguments(parser: ArgumentParser) -> None:
    """Add the prompt, its arguments and the options of a session."""
    add_name_and_arguments(parser, "NAME", "the prompt, and its arguments: JSON, or KEY=TEXT")
    add_meta_option(parser)
    add_session_options(parser)


async def _show(session: Session, options: Options, console: Console) -> int:
    params: JsonObject = {"name": options.args[0]}
    if options.arguments is not None:
        params["arguments"] = typed_arguments(options)
    result = await request_result(session, "prompts/get", params, options, console)
    if not options.json:
        view = PromptResult(result, revision=session.revision)
        console.out(view.as_text()) if view.messages else console.out_value(result)
    return SUCCESS


run = partial(run_connected, _show)
