"""`call`: one call of a tool, listed or not."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from inspector.cli.call_arguments import add_name_and_arguments
from inspector.cli.exit_codes import SUCCESS, TOOL_ERROR
from inspector.cli.json_output import result_to_json
from inspector.cli.options import add_meta_option, add_session_options
from inspector.cli.runner import run_connected
from inspector.cli.stderr_report import duration_text
from inspector.features.tool_call import CallState
from inspector.features.tools import Tools
from inspector.spec.views.content import TextContent
from inspector.spec.views.tool import ToolView
from inspector.wire import json_codec

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from inspector.cli.console import Console
    from inspector.cli.options import Options
    from inspector.features.tool_call import ToolCall
    from inspector.session.session import Session
    from inspector.spec.views.call_result import CallToolResultView
    from inspector.spec.views.content import ContentView


def add_arguments(parser: ArgumentParser) -> None:
    """Add the tool, its arguments and the options of a session."""
    add_name_and_arguments(
        parser,
        "NAME",
        "the tool, and its arguments: JSON, or KEY=TEXT for strings and KEY:=JSON for other values",
    )
    add_meta_option(parser)
    add_session_options(parser)


async def _show(session: Session, options: Options, console: Console) -> int:
    """Call the tool and print its result.

    Raises:
        InspectorError: the server responded with an error, or not at all.
    """
    tools = Tools(session)
    tool = await _tool(tools, session, options)
    call = tools.call(tool, options.arguments, meta=options.meta or None, anyway=True)
    try:
        await call.wait()
    finally:
        call.cancel()
    if call.error is not None:
        raise call.error
    _show_result(session, call, options, console)
    console.err(f"{call.state} in {duration_text(call.took_seconds)}")
    return TOOL_ERROR if call.state is CallState.TOOL_ERROR else SUCCESS


async def _tool(tools: Tools, session: Session, options: Options) -> ToolView:
    """Return the tool as the server lists it: headers and findings about the call depend on it."""
    name = options.args[0]
    unlisted = ToolView({"name": name}, revision=session.revision)
    if options.quiet and not session.mirrors_headers:
        return unlisted
    await tools.refresh()
    return next((tool for tool in tools.items if tool.name == name), unlisted)


def _show_result(session: Session, call: ToolCall, options: Options, console: Console) -> None:
    result = call.result
    if options.json:
        message = session.transcript.message(call.response_frame)
        console.out_json({"state": call.state.value, "result": result_to_json(message)})
    elif result is not None:
        _print_result(result, console)


def _print_result(result: CallToolResultView, console: Console) -> None:
    if not result.is_object or not (
        result.is_complete and (result.content or result.has_structured)
    ):
        console.out_value(result.raw)
        return
    for block in result.content:
        _print_block(block, console)
    if result.has_structured:
        console.out(f"structured content: {json_codec.write(result.structured, indent=2)}")


def _print_block(block: ContentView, console: Console) -> None:
    if isinstance(block, TextContent) and not block.is_malformed:
        console.out(block.body)
    else:
        console.out_value(block.raw)


run = partial(run_connected, _show)
