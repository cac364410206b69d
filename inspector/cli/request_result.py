"""One request with the metadata and headers of the revision, and its result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.cli.json_output import result_to_json
from inspector.wire import json_codec
from inspector.wire.message import or_null

if TYPE_CHECKING:
    from inspector.cli.console import Console
    from inspector.cli.options import Options
    from inspector.session.session import Session
    from inspector.wire.json_codec import Json, JsonObject


async def request_result(
    session: Session, method: str, params: JsonObject, options: Options, console: Console
) -> Json:
    """Send a request and return its result, which is printed already with `--json`.

    Raises:
        InspectorError: the server responded with an error, or not at all.
    """
    reply = await session.request(method, params, meta=options.meta or None)
    message = session.transcript.message(reply.frame)
    if options.json:
        console.out_json({"result": result_to_json(message)})
    return or_null(message.result)


def typed_arguments(options: Options) -> Json:
    """Return the arguments on the command line; an empty object if there are none."""
    if options.arguments is None:
        return {}
    return json_codec.read(options.arguments.encode("utf-8", "surrogateescape")).value
