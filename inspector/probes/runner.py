"""Which probes apply to a server, and how they run: one after another, each with its own time limit."""

from __future__ import annotations

from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from inspector.checks.catalog import CATALOG
from inspector.checks.faults import fault_text
from inspector.checks.probed import PROBED, PROBING, ProbeRecord
from inspector.errors import InspectorError
from inspector.event import report_failure
from inspector.probes.probe import Outcome, ProbeContext, ProbeResult
from inspector.probes.scenarios import (
    bad_cursor,
    cancelled_request,
    changed_state,
    content_type,
    earlier_task_method,
    earlier_task_parameter,
    early_requests,
    ended_session,
    foreign_event_id,
    foreign_host,
    foreign_origin,
    foreign_origin_sse,
    get_accept,
    header_mismatch,
    illegal_parameter_header,
    invalid_level,
    large_request,
    last_event_id,
    lower_case_headers,
    missing_answer,
    missing_meta,
    missing_method_header,
    missing_name_header,
    missing_parameter_header,
    missing_prompt_argument,
    missing_session,
    missing_version,
    missing_version_header,
    number_in_header,
    other_verbs,
    parallel_calls,
    parallel_requests,
    path_traversal,
    ping,
    round_elsewhere,
    second_initialize,
    slow_reader,
    tool_arguments,
    undeclared_tasks,
    unknown_answer,
    unknown_method,
    unknown_prompt,
    unknown_reference,
    unknown_resource,
    unknown_tool,
    unknown_version,
    unknown_version_header,
    web_resources,
)
from inspector.probes.tool_uses import tool_uses
from inspector.rules.rule import ALL_TRANSPORTS
from inspector.session.session_state import SessionState

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Collection, Iterable, Sequence

    from inspector.probes.probe import Probe
    from inspector.probes.tool_uses import ToolUse
    from inspector.session.session import Session
    from inspector.spec.view import View
    from inspector.wire.json_codec import JsonObject

PROBES: tuple[Probe, ...] = tuple(
    module.PROBE
    for module in (
        unknown_method,
        ping,
        bad_cursor,
        unknown_tool,
        tool_arguments,
        parallel_calls,
        unknown_resource,
        path_traversal,
        web_resources,
        unknown_prompt,
        missing_prompt_argument,
        unknown_reference,
        invalid_level,
        unknown_version,
        missing_meta,
        parallel_requests,
        large_request,
        slow_reader,
        cancelled_request,
        early_requests,
        second_initialize,
        foreign_origin_sse,
        foreign_origin,
        foreign_host,
        get_accept,
        content_type,
        missing_session,
        unknown_version_header,
        missing_version_header,
        ended_session,
        foreign_event_id,
        header_mismatch,
        missing_version,
        missing_method_header,
        missing_name_header,
        missing_parameter_header,
        number_in_header,
        illegal_parameter_header,
        lower_case_headers,
        other_verbs,
        last_event_id,
        missing_answer,
        unknown_answer,
        changed_state,
        round_elsewhere,
        earlier_task_method,
        undeclared_tasks,
        earlier_task_parameter,
    )
)
"""All probes, in the order in which they run."""

NO_TOOL = "no tool may be called"

_LISTS = ("tools", "prompts", "resources")
MAX_LISTED = 1_000
"""Items of a list from which a probe chooses."""


Lists: TypeAlias = "dict[str, list[JsonObject]]"
"""By their member, such as `tools`."""


class Concluded(NamedTuple):
    """A probe and what it came to."""

    probe: Probe
    result: ProbeResult


class Planned(NamedTuple):
    """A probe, and whether it applies to a server."""

    probe: Probe
    reason: str
    """Why it does not apply; empty if it does."""


def plan_probes(session: Session, lists: Lists, uses: Sequence[ToolUse]) -> list[Planned]:
    """Return all probes, in the order in which they run, and which apply to the server; nothing is sent."""
    context = ProbeContext(session, lists, uses)
    return [Planned(probe, _reason(probe, context)) for probe in PROBES]


async def run_probes(
    session: Session,
    chosen: Collection[str] | None = None,
    *,
    uses: Sequence[ToolUse] | None = None,
    lists: Lists | None = None,
) -> AsyncIterator[Concluded]:
    """Run the probes whose keys are `chosen`, or all that need not be chosen, and yield what each came to; findings are added to the transcript.

    `lists` has the lists from which they choose, by their member, if these have been read; a second reading would be checked again.

    `uses` are the calls of tools that are allowed; by default those of read-only tools. The session stays connected; after its end the
    rest is not tried.
    """
    lists = await _read_lists(session) if lists is None else lists
    uses = tool_uses(lists.get("tools", [])) if uses is None else uses
    for probe in PROBES:
        if probe.is_opt_in if chosen is None else probe.key not in chosen:
            continue
        context = ProbeContext(session, lists, uses)
        rules = _rules(probe, session)
        text = f"Spyglass probes the server: {probe.title}"
        session.transcript.note(PROBING, text, probe=probe.key, edits_http=probe.edits_http)
        result = ProbeResult(Outcome.NOT_TRIED, "it was stopped")
        try:
            result = await _run(probe, context)
        finally:
            # Without this note, rules would take everything that follows for the answer to a probe.
            record = ProbeRecord(
                probe.key, probe.title, result.outcome, result.text, rules, result.frame
            )
            session.transcript.note(PROBED, record.sentence, **record.facts())
        for frame, finding in result.findings:
            known = session.transcript.findings(frame) if frame else ()
            if frame and all(each.rule != finding.rule for each in known):
                session.transcript.add_finding(frame, finding)
        if result.findings:
            session.transcript.findings_changed.fire()
        yield Concluded(probe, result)


def _rules(probe: Probe, session: Session) -> tuple[str, ...]:
    """Return the rules that a probe decides in the revision and over the transport of a session."""
    revision, name = session.revision, session.transport_name
    number, transport = revision.number if revision else 0, name if name in ALL_TRANSPORTS else ""
    return tuple(id_ for id_ in probe.rules if CATALOG[id_].concerns(number, transport))


def _reason(probe: Probe, context: ProbeContext) -> str:
    """Return why a probe does not apply; empty if it does."""
    return NO_TOOL if _lacks_tool(probe, context) else probe.needs(context)


def _lacks_tool(probe: Probe, context: ProbeContext) -> bool:
    return probe.calls_tool and not context.uses


def _untried(probe: Probe, context: ProbeContext) -> ProbeResult:
    """Return whether a probe that lacks a tool would apply if read-only tools were allowed."""
    uses = tool_uses(context.listed("tools"))
    reason = probe.needs(context.with_uses(uses)) if uses else NO_TOOL
    outcome = Outcome.NOT_APPLICABLE if reason else Outcome.NOT_TRIED
    return ProbeResult(outcome, reason or NO_TOOL)


async def _run(probe: Probe, context: ProbeContext) -> ProbeResult:
    try:
        return await _try(probe, context)
    except InspectorError as error:
        return ProbeResult(Outcome.NOT_TRIED, str(error))
    except Exception as error:  # noqa: BLE001 - a fault of one probe must not end the others
        report_failure(f"the probe {probe.key} failed", error)
        return ProbeResult(Outcome.NOT_TRIED, fault_text(error), is_fault=True)


async def _try(probe: Probe, context: ProbeContext) -> ProbeResult:
    if context.session.state is not SessionState.READY or context.session.revision is None:
        return ProbeResult(Outcome.NOT_TRIED, "the connection has ended")
    if _lacks_tool(probe, context):
        return _untried(probe, context)
    reason = probe.needs(context)
    if reason:
        return ProbeResult(Outcome.NOT_APPLICABLE, reason)
    return await probe.run(context)


def listed_objects(items: Iterable[View]) -> list[JsonObject]:
    """Return the items of a list that was read, as probes choose from them."""
    read = (each.raw for each in islice(items, MAX_LISTED))
    return [each for each in read if isinstance(each, dict)]


async def _read_lists(session: Session) -> Lists:
    """Return the first pages of the lists that probes choose from."""
    found: Lists = {}
    for member in _LISTS:
        if session.declares(member):
            with suppress(InspectorError):
                result = (await session.request(f"{member}/list")).message.result
                items = result.get(member) if isinstance(result, dict) else None
                read = items[:MAX_LISTED] if isinstance(items, list) else []
                found[member] = [item for item in read if isinstance(item, dict)]
    return found
