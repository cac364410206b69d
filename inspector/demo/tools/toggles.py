"""What changes while the session runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.demo.content import result, text
from inspector.demo.library import CLOCK_URI
from inspector.demo.listeners import UPDATED
from inspector.demo.schema import flag, record, string, titled_choice
from inspector.demo.tool import Tool, writes

if TYPE_CHECKING:
    from inspector.demo.call import Call
    from inspector.wire.json_codec import JsonObject

ENDINGS = {
    "gracefully": "With the answer that was due",
    "cancelled": "With a cancellation instead",
    "abruptly": "Without a word",
}

KINDS = {"tool": "A tool", "resource": "A resource", "prompt": "A prompt"}


def _toggle(call: Call) -> JsonObject:
    what = call.arguments.text("what")
    is_listed = call.conversation.toggle(what)
    verb = "is now listed" if is_listed else "is no longer listed"
    return result(text(f"The {what} “surprise” {verb}, and the client was told."))


def _update(call: Call) -> JsonObject:
    uri = call.arguments.text("uri")
    if call.conversation.touch(uri):
        return result(text(f"Told the client that {uri} changed."))
    if not call.arguments.flag("even_if_unsubscribed"):
        return result(text(f"Nobody subscribed to {uri}, so nothing was said."))
    call.conversation.notify(UPDATED, {"uri": uri})
    return result(text(f"Told the client that {uri} changed, although it did not subscribe."))


def _end_subscriptions(call: Call) -> JsonObject:
    count = call.conversation.state.listeners.end(call.arguments.text("how"))
    return result(text(f"Ended {count} notification streams."))


def _surprise(call: Call) -> JsonObject:
    del call
    return result(text("You found the tool that came later."))


SURPRISE = Tool(
    "surprise", "A surprise", "Listed since toggle_tool was called. Says something.", _surprise
)
"""Listed on request."""

TOOLS = (
    Tool(
        "toggle_tool",
        "Change a list",
        "Adds or removes a tool, resource or prompt named “surprise” and sends list_changed.",
        _toggle,
        record({"what": titled_choice("Which list to change", KINDS)}),
        hints=writes(),
    ),
    Tool(
        "update_resource",
        "Change a resource",
        "Sends resources/updated. Subscribe to the resource first.",
        _update,
        record(
            {
                "uri": string("Which one", format="uri", default=CLOCK_URI),
                "even_if_unsubscribed": flag("Send even if the client did not subscribe"),
            }
        ),
        hints=writes(),
    ),
    Tool(
        "end_subscriptions",
        "End the subscriptions",
        "Ends all notification streams.",
        _end_subscriptions,
        record({"how": titled_choice("In which way", ENDINGS)}),
        hints=writes(),
        is_known=lambda revision: revision.has_listen,
    ),
)
