"""`call`: one call of one tool, listed or not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.cli.codes import FINE, TOOL_ERROR
from inspector.cli.documents import result_of
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
    from inspector.wire.jsontext import Json

LONGEST_TEXT = 400
"""Characters of a string inside a block that is no text; `--json` prints all of it."""

DEEPEST = 100
"""Levels that are looked into for long strings."""


async def show(session: Session, options: Options, screen: Screen) -> int:
    """Call the tool and print what it answers.

    Raises:
        InspectorError: the server answered with an error, or not at all.
    """
    name, *rest = options.words
    tool = ToolView({"name": name}, revision=session.revision)
    call = Tools(session).call(tool, rest[0] if rest else None)
    try:
        await call.wait()
    finally:
        call.cancel()
    if call.error is not None:
        raise call.error
    _show_result(session, call, options, screen)
    screen.tell(f"{call.state} in {seconds(call.took_seconds)}")
    return TOOL_ERROR if call.state is CallState.TOOL_ERROR else FINE


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
        screen.say(jsontext.write(_shortened(result.raw), indent=2))
        return
    for block in result.content:
        screen.say(_text_of(block))
    if result.has_structured:
        screen.say(f"structured content: {jsontext.write(result.structured, indent=2)}")


def _text_of(block: ContentView) -> str:
    if isinstance(block, TextContent) and not block.is_malformed:
        return block.body
    return jsontext.write(_shortened(block.raw), indent=2)


def _shortened(value: Json, depth: int = 0) -> Json:
    """`value` with long strings cut: pictures and sounds are nothing to read."""
    if depth > DEEPEST:
        return value
    if isinstance(value, str) and len(value) > LONGEST_TEXT:
        return f"{value[:LONGEST_TEXT]}… ({len(value):,} characters)"
    if isinstance(value, list):
        return [_shortened(item, depth + 1) for item in value]
    if isinstance(value, dict):
        return {key: _shortened(item, depth + 1) for key, item in value.items()}
    return value
