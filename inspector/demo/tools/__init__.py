"""All tools, in the order of the list: friendly ones first, faults last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.demo.conformance.tasks import TOOLS as CONFORMANCE_TASKS
from inspector.demo.conformance.tools import TOOLS as CONFORMANCE_TOOLS
from inspector.demo.paging import page
from inspector.demo.tools import (
    asking,
    failing,
    fault_bytes,
    fault_ends,
    fault_floods,
    fault_messages,
    fault_results,
    fault_rounds,
    first,
    forms,
    header_tools,
    notes,
    odd_forms,
    rounds,
    running,
    showing,
    tasks,
    toggles,
)
from inspector.demo.tools.fault_results import MALFORMED_ENTRIES
from inspector.demo.tools.header_tools import MALFORMED_HEADERS

if TYPE_CHECKING:
    from inspector.demo.conversation import Conversation
    from inspector.demo.tool import Tool
    from inspector.wire.json_codec import Json, JsonObject

TOOLS: tuple[Tool, ...] = (
    *first.TOOLS,
    *running.TOOLS,
    *tasks.TOOLS,
    *showing.TOOLS,
    *forms.TOOLS,
    *odd_forms.TOOLS,
    *header_tools.TOOLS,
    *notes.TOOLS,
    *toggles.TOOLS,
    *asking.TOOLS,
    *rounds.TOOLS,
    *failing.TOOLS,
    *fault_results.TOOLS,
    *fault_messages.TOOLS,
    *fault_rounds.TOOLS,
    *tasks.FAULT_TOOLS,
    *fault_bytes.TOOLS,
    *fault_floods.TOOLS,
    *fault_ends.TOOLS,
)


def offered(conversation: Conversation) -> list[Tool]:
    """Those that are listed to this client now."""
    named = (*CONFORMANCE_TOOLS, *CONFORMANCE_TASKS)
    first = named if conversation.options.conformance else ()
    tools = [tool for tool in (*first, *TOOLS) if tool.is_known(conversation.revision)]
    if "tool" in conversation.extras:
        tools.insert(0, toggles.SURPRISE)
    return tools


def find(name: str, conversation: Conversation) -> Tool | None:
    """The tool of that name, if it is offered."""
    return next((tool for tool in offered(conversation) if tool.name == name), None)


def listed(conversation: Conversation, params: JsonObject) -> JsonObject:
    """`tools/list`."""
    entries: list[Json] = [tool.entry(conversation.revision) for tool in offered(conversation)]
    if conversation.state.has_malformed_tools:
        malformed = [
            *MALFORMED_ENTRIES,
            *(MALFORMED_HEADERS if conversation.revision.has_standard_headers else ()),
        ]
        entries[1:1] = malformed
    return page("tools", entries, params, conversation.options)
