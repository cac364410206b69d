"""The ways in which a request ends without a result."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603


class RpcError(Exception):
    """Answer with a JSON-RPC error."""

    def __init__(self, code: int, message: str, data: Json = None) -> None:
        """Keep what goes into `error`; `data` is left out when it is None."""
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data

    def described(self) -> JsonObject:
        """What stands in `error`."""
        body: JsonObject = {"code": self.code, "message": self.message}
        return body if self.data is None else {**body, "data": self.data}


class ToolError(Exception):
    """Answer with a result that says `isError`: the tool was found but could not do it."""


class Cancelled(Exception):
    """The client cancelled the request; it gets no answer."""


class InputRequired(Exception):
    """Answer with a result that asks the client for something; it sends the request again with the answers."""

    def __init__(self, result: JsonObject) -> None:
        """Keep the result."""
        super().__init__("input required")
        self.result = result
