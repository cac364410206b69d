"""What our client does in each scenario: through the features of the engine, as a user would in a window.

Source: the scenarios of the conformance suite. A scenario for which `act_of` has nothing is one that we cannot do yet.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from inspector.finding import Severity
from inspector.spec.views.tool import ToolView
from inspector.wire import json_codec

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from inspector.open_session import OpenSession
    from inspector.session.operation import Operation
    from inspector.wire.json_codec import Json, JsonObject

    Act = Callable[[OpenSession, JsonObject], Awaitable[None]]
    """Takes the session and what the suite told of the scenario."""


async def _list_tools(opened: OpenSession, context: JsonObject) -> None:
    del context
    await _tools(opened)


async def _tools(opened: OpenSession) -> tuple[ToolView, ...]:
    await opened.tools.refresh()
    if opened.tools.failure is not None:
        raise opened.tools.failure
    return opened.tools.items


async def _call(opened: OpenSession, name: str, arguments: Json = None) -> None:
    """Call a tool by the name it is listed under, or else as it is; a result that says `isError` is one too."""
    listed = (tool for tool in opened.tools.items if tool.exact_id == name)
    tool = next(listed, ToolView({"name": name}, revision=opened.session.revision))
    call = opened.tools.call(tool, json_codec.write({} if arguments is None else arguments))
    await call.wait()
    if call.error is not None:
        raise call.error


async def _call_listed(opened: OpenSession, context: JsonObject, *, names: tuple[str, ...]) -> None:
    del context
    await _tools(opened)
    for name in names:
        await _call(opened, name)


async def _add_numbers(opened: OpenSession, context: JsonObject) -> None:
    del context
    await _tools(opened)
    await _call(opened, "add_numbers", {"a": 5, "b": 3})


async def _repeat_calls(opened: OpenSession, context: JsonObject) -> None:
    await _tools(opened)
    calls = context.get("toolCalls")
    for call in calls if isinstance(calls, list) else []:
        assert isinstance(call, dict)
        await _call(opened, str(call["name"]), call["arguments"])


async def _call_what_is_sound(opened: OpenSession, context: JsonObject) -> None:
    """Spyglass shows malformed tools and leaves them to the user; this user calls what is listed without an error."""
    del context
    for tool in await _tools(opened):
        if all(found.severity is not Severity.ERROR for found in tool.problems):
            await _call(opened, str(tool.exact_id))


async def _use_everything(opened: OpenSession, context: JsonObject) -> None:
    del context
    for tool in await _tools(opened):
        await _call(opened, str(tool.exact_id))
    await opened.resources.refresh()
    for resource in opened.resources.items:
        await _finished(opened.reads.read(resource.uri))
    await opened.prompts.refresh()
    for prompt in opened.prompts.items:
        await _finished(opened.prompts.get(prompt, {}))


async def _finished(attempt: Operation) -> None:
    await attempt.wait()
    if attempt.error is not None:
        raise attempt.error


async def _echo_schema(opened: OpenSession, context: JsonObject) -> None:
    del context
    tools = {tool.exact_id: tool for tool in await _tools(opened)}
    raw = tools["json_schema_2020_12_tool"].raw
    assert isinstance(raw, dict)
    await _call(opened, "json_schema_echo", {"schema": raw["inputSchema"]})


RETRIED = (
    "test_mrtr_echo_state",
    "test_mrtr_unrelated",
    "test_mrtr_no_state",
    "test_mrtr_no_result_type",
)
"""Tools that answer with questions of theirs, or look as if they did."""

AUTH = "auth/"
"""What the names of scenarios about authorization begin with: they all want the server used."""

AUTOMATIC = frozenset({"request-metadata"})
"""Scenarios in which the client has to choose again; a revision that a user insists on is asked for and nothing else."""

ACTS: Mapping[str, Act] = {
    "initialize": _list_tools,
    "tools_call": _add_numbers,
    "elicitation-sep1034-client-defaults": partial(
        _call_listed, names=("test_client_elicitation_defaults",)
    ),
    "sse-retry": partial(_call_listed, names=("test_reconnection",)),
    "request-metadata": _add_numbers,
    "http-standard-headers": _use_everything,
    "http-custom-headers": _repeat_calls,
    "http-invalid-tool-headers": _call_what_is_sound,
    "sep-2322-client-request-state": partial(_call_listed, names=RETRIED),
    "json-schema-ref-no-deref": _list_tools,
    "json-schema-2020-12-preservation": _echo_schema,
}
"""By the name of the scenario."""


async def _call_first(opened: OpenSession, context: JsonObject) -> None:
    """List the tools, and call the first one."""
    del context
    for tool in (await _tools(opened))[:1]:
        await _call(opened, str(tool.exact_id))


def act_of(scenario: str) -> Act | None:
    """What to do in a scenario; None where we cannot do it."""
    return _call_first if scenario.startswith(AUTH) else ACTS.get(scenario)
