"""`request`, `read` and `prompt`: one request with the metadata and headers of the revision, and its result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.cli.exit_codes import SUCCESS
from inspector.cli.json_output import result_to_json
from inspector.cli.shortened import shorten_strings
from inspector.errors import NotSent
from inspector.spec.views.prompt import PromptResult
from inspector.wire import jsontext
from inspector.wire.message import or_null

if TYPE_CHECKING:
    from inspector.cli.console import Console
    from inspector.cli.options import Options
    from inspector.session.session import Session
    from inspector.wire.jsontext import Json, JsonObject


async def show_request(session: Session, options: Options, console: Console) -> int:
    """Send any request and print its result.

    Raises:
        InspectorError: the server responded with an error, or not at all.
    """
    params = (
        jsontext.read(options.arguments.encode("utf-8", "surrogateescape")).value
        if options.arguments
        else {}
    )
    if not isinstance(params, dict):
        raise NotSent(
            "the params of a request are a JSON object in MCP",
            remedy="Use raw to send anything else.",
        )
    result = await _request(session, options.args[0], params, options, console)
    if not options.json:
        console.out(jsontext.write(result, indent=2))
    return SUCCESS


async def show_read(session: Session, options: Options, console: Console) -> int:
    """Read a resource; print its texts as they are, and everything else as JSON.

    Raises:
        InspectorError: the server responded with an error, or not at all.
    """
    result = await _request(session, "resources/read", {"uri": options.args[0]}, options, console)
    if options.json:
        return SUCCESS
    contents = result.get("contents") if isinstance(result, dict) else None
    if not isinstance(contents, list) or not contents:
        console.out(jsontext.write(shorten_strings(result), indent=2))
        return SUCCESS
    for content in contents:
        text = content.get("text") if isinstance(content, dict) else None
        console.out(
            text if isinstance(text, str) else jsontext.write(shorten_strings(content), indent=2)
        )
    return SUCCESS


async def show_prompt(session: Session, options: Options, console: Console) -> int:
    """Get a prompt and print its messages.

    Raises:
        InspectorError: the server responded with an error, or not at all.
    """
    params: JsonObject = {"name": options.args[0]}
    if options.arguments is not None:
        params["arguments"] = jsontext.read(
            options.arguments.encode("utf-8", "surrogateescape")
        ).value
    result = await _request(session, "prompts/get", params, options, console)
    if not options.json:
        view = PromptResult(result, revision=session.revision)
        console.out(
            view.as_text() if view.messages else jsontext.write(shorten_strings(result), indent=2)
        )
    return SUCCESS


async def _request(
    session: Session, method: str, params: JsonObject, options: Options, console: Console
) -> Json:
    reply = await session.request(method, params, meta=options.meta or None)
    message = session.transcript.message(reply.frame)
    if options.json:
        console.out_json({"result": result_to_json(message)})
    return or_null(message.result)
