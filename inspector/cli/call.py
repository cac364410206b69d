"""`call`: one call of one tool, listed or not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.cli.codes import FINE, TOOL_ERROR
from inspector.cli.documents import result_of
from inspector.cli.shortened import shortened
from inspector.cli.telling import seconds
from inspector.features.tool_call import CallState
from inspector.features.tools import Tools
from inspector.spec.views.content import TextContent
from inspector.spec.views.tool import ToolView
from inspector.wire import jsontext

if TYPE_CHECKING:
    from inspector.cli.options import Options
    from inspector.cli.screen import Screen
    from inspector.features.tool_call import ToolCall
    from inspector.session.session import Session
    from inspector.spec.views.call_result import CallToolResultView
    from inspector.spec.views.content import ContentView


async def show(session: Session, options: Options, screen: Screen) -> int:
    """Call the tool and print what it answers.

    Raises:
        InspectorError: the server answered with an error, or not at all.
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
    _show_result(session, call, options, screen)
    screen.tell(f"{call.state} in {seconds(call.took_seconds)}")
    return TOOL_ERROR if call.state is CallState.TOOL_ERROR else FINE


async def _tool(tools: Tools, session: Session, options: Options) -> ToolView:
    """Return the tool as the server lists it: that decides headers, and what is found about the call and its result."""
    name = options.words[0]
    unlisted = ToolView({"name": name}, revision=session.revision)
    if options.quiet and not session.mirrors_headers:
        return unlisted
    await tools.refresh()
    return next((tool for tool in tools.items if tool.name == name), unlisted)


def _show_result(session: Session, call: ToolCall, options: Options, screen: Screen) -> None:
    result = call.result
    if options.json:
        message = session.transcript.message(call.response_frame)
        screen.print_json({"state": call.state.value, "result": result_of(message)})
    elif result is not None:
        _say_result(result, screen)


def _say_result(result: CallToolResultView, screen: Screen) -> None:
    if not result.is_object or not (
        result.is_complete and (result.content or result.has_structured)
    ):
        screen.say(jsontext.write(shortened(result.raw), indent=2))
        return
    for block in result.content:
        screen.say(_text_of(block))
    if result.has_structured:
        screen.say(f"structured content: {jsontext.write(result.structured, indent=2)}")


def _text_of(block: ContentView) -> str:
    if isinstance(block, TextContent) and not block.is_malformed:
        return block.body
    return jsontext.write(shortened(block.raw), indent=2)
