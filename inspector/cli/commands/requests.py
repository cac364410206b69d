"""`call`, `read`, `prompt` and `request`: one request with the metadata and headers of the revision, and its result."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from inspector.cli.arguments import add_name_and_arguments
from inspector.cli.command import SUCCESS, TOOL_ERROR
from inspector.cli.json_output import result_to_json
from inspector.cli.options import add_meta_option, positive_count
from inspector.cli.raw_output import add_raw_options, raw_bytes, raw_problem
from inspector.cli.runner import session_command
from inspector.cli.stderr_report import duration_text
from inspector.errors import RequestAborted
from inspector.features.tools import AsTask, Tools
from inspector.session.operation import OperationState
from inspector.session.task_poller import TaskPoller
from inspector.spec import tasks
from inspector.spec.views.content import TextContent
from inspector.spec.views.prompt import PromptResult
from inspector.spec.views.tool import ToolView
from inspector.transcript.exchange import response_in
from inspector.wire import json_codec
from inspector.wire.message import or_null

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from inspector.cli.console import Console
    from inspector.cli.options import Options
    from inspector.features.tools import ToolCall
    from inspector.session.session import Session
    from inspector.spec.views.call_result import CallToolResultView
    from inspector.spec.views.content import ContentView
    from inspector.wire.json_codec import Json, JsonObject


def _add_name_and_options(metavar: str, text: str, parser: ArgumentParser) -> None:
    """Add a name with arguments and the options of a request; `text` is the help for both."""
    add_name_and_arguments(parser, metavar, text)
    add_meta_option(parser)


def _add_call_options(parser: ArgumentParser) -> None:
    _add_name_and_options("NAME", _CALL, parser)
    add_raw_options(parser)
    text = "run the call as a task, and wait for its result"
    parser.add_argument("--task", action="store_true", help=text)
    text = "request that the server keeps the task for MS milliseconds"
    parser.add_argument("--ttl", dest="ttl_ms", type=positive_count, metavar="MS", help=text)


def _add_uri_and_options(parser: ArgumentParser) -> None:
    parser.add_argument("args", nargs=1, metavar="URI", help="URI of the resource")
    add_raw_options(parser)
    add_meta_option(parser)


async def _show_call(session: Session, options: Options, console: Console) -> int:
    """Call a tool, listed or not, and print its result.

    Raises:
        InspectorError: the server responded with an error, or not at all.
    """
    tools = Tools(session, TaskPoller(session) if options.needs_tasks else None)
    tool = await _tool(tools, session, options)
    as_task = AsTask(options.ttl_ms) if options.task and _is_requested(session) else None
    meta = options.meta or None
    call = tools.call(tool, options.arguments, as_task=as_task, meta=meta, anyway=True)
    if not options.quiet:
        call.changed.subscribe(partial(_print_progress, call, console, [0]))
    try:
        await call.wait()
    finally:
        call.cancel()
    if call.error is not None:
        raise call.error
    _show_call_result(session, call, options, console)
    # whether the result is right is for the findings to say, which come later
    state = "response" if call.state is OperationState.DONE else call.state
    console.err(f"{state} in {duration_text(call.took_seconds)}")
    return TOOL_ERROR if call.state is OperationState.TOOL_ERROR else SUCCESS


def _is_requested(session: Session) -> bool:
    """Whether it is the client that requests a task; in the other design the server decides."""
    design = tasks.dialect(session.revision)
    return design is not None and design.asked_for


def _print_progress(call: ToolCall, console: Console, printed: list[int]) -> None:
    """Print the latest progress, once."""
    if call.progress is not None and call.progress_count > printed[0]:
        printed[0] = call.progress_count
        console.err(f"progress {call.progress.status_text}")


async def _tool(tools: Tools, session: Session, options: Options) -> ToolView:
    """Return the tool as the server lists it: headers and findings about the call depend on it."""
    name = options.args[0]
    unlisted = ToolView({"name": name}, revision=session.revision)
    tools.detach()  # other commands may use the session after this one
    if options.quiet and not session.mirrors_headers:
        return unlisted
    await tools.refresh()
    return next((tool for tool in tools.items if tool.name == name), unlisted)


def _show_call_result(session: Session, call: ToolCall, options: Options, console: Console) -> None:
    result = call.result
    if options.json:
        message = response_in(session.transcript, call.response_frame, call.request_frame)
        console.out_json({"state": call.state.value, "result": result_to_json(message)})
    elif options.raw or options.block:
        blocks = result.content if result is not None else ()
        console.out_bytes(raw_bytes([each.raw for each in blocks], options.block))
    elif result is not None:
        _print_call_result(result, console)


def _print_call_result(result: CallToolResultView, console: Console) -> None:
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


async def _show_resource(session: Session, options: Options, console: Console) -> int:
    """Print the contents of a resource."""
    params: JsonObject = {"uri": options.args[0]}
    result = await _send(session, "resources/read", params, options, console)
    if options.json:
        return SUCCESS
    contents = result.get("contents") if isinstance(result, dict) else None
    if options.raw or options.block:
        items = contents if isinstance(contents, list) else []
        console.out_bytes(raw_bytes(items, options.block))
        return SUCCESS
    if not isinstance(contents, list) or not contents:
        console.out_value(result)
        return SUCCESS
    for content in contents:
        text = content.get("text") if isinstance(content, dict) else None
        console.out(text) if isinstance(text, str) else console.out_value(content)
    return SUCCESS


async def _show_prompt(session: Session, options: Options, console: Console) -> int:
    """Print the messages of a prompt."""
    params: JsonObject = {"name": options.args[0]}
    if options.arguments is not None:
        params["arguments"] = _arguments(options)
    result = await _send(session, "prompts/get", params, options, console)
    if not options.json:
        view = PromptResult(result, revision=session.revision)
        console.out(view.as_text()) if view.messages else console.out_value(result)
    return SUCCESS


async def _show_request(session: Session, options: Options, console: Console) -> int:
    """Send any request and print its result."""
    params = _arguments(options)
    if not isinstance(params, dict):
        raise RequestAborted(
            "the params of a request are a JSON object in MCP",
            hint="Use raw to send anything else.",
        )
    result = await _send(session, options.args[0], params, options, console)
    if not options.json:
        console.out(json_codec.write(result, indent=2))
    return SUCCESS


async def _send(
    session: Session, method: str, params: JsonObject, options: Options, console: Console
) -> Json:
    """Send a request and return its result, which is printed already with `--json`.

    Raises:
        InspectorError: the server responded with an error, or not at all.
    """
    reply = await session.request(method, params, meta=options.meta or None)
    message = response_in(session.transcript, reply.frame, reply.request_frame)
    if options.json:
        console.out_json({"result": result_to_json(message)})
    return or_null(message.result)


def _arguments(options: Options) -> Json:
    """Return the arguments on the command line; an empty object without them."""
    if options.arguments is None:
        return {}
    return json_codec.read(options.arguments.encode("utf-8", "surrogateescape")).value


_CALL = (
    "the tool, and its arguments: JSON, or KEY=TEXT for strings and KEY:=JSON for other values; "
    "@FILE stands for what a file has, @- for standard input"
)
_PROMPT = "the prompt, and its arguments: JSON, or KEY=TEXT; @FILE stands for what a file has"
_REQUEST = "the method, and its params as JSON, as pairs, or as @FILE"

call = session_command(
    _add_call_options,
    _show_call,
    "call echo message=hello -- npx -y @modelcontextprotocol/server-everything",
    'call get-sum \'{"a": 1, "b": 2}\' --json -- python server.py',
    "call search query=@question.txt limit:=5 --server NAME",
    "call get-tiny-image --block 2 --output image.png -- npx -y @modelcontextprotocol/server-everything",
    "call trigger-elicitation-request --accept-all -- npx -y @modelcontextprotocol/server-everything",
    "call deploy --answers answers.json --root . --log-level info -- python server.py",
    codes=(TOOL_ERROR,),
    problem=raw_problem,
)
read = session_command(
    _add_uri_and_options,
    _show_resource,
    "read file:///notes/today.md -- python server.py",
    "read demo://resource/static/document/features.md --json --server NAME",
    "read file:///logo.png --raw --output logo.png -- python server.py",
    problem=raw_problem,
)
prompt = session_command(
    partial(_add_name_and_options, "NAME", _PROMPT),
    _show_prompt,
    "prompt simple-prompt -- npx -y @modelcontextprotocol/server-everything",
    "prompt review language=python --arg code=@main.py -- python server.py",
)
request = session_command(
    partial(_add_name_and_options, "METHOD", _REQUEST),
    _show_request,
    "request tools/list -- python server.py",
    "request resources/read uri=file:///a.txt --meta trace=1 -- http://127.0.0.1:3001/mcp",
)
