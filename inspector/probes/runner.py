"""Which probes apply to a server, and how they run: one after another, each with its own time limit."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from inspector.checks.remembered import PROBED, PROBING
from inspector.errors import InspectorError
from inspector.probes.probe import Effect, Outcome, ProbeContext, ProbeResult
from inspector.probes.scenarios import (
    bad_cursor,
    content_type,
    ended_session,
    foreign_event_id,
    foreign_host,
    foreign_origin,
    get_accept,
    header_mismatch,
    invalid_level,
    large_request,
    last_event_id,
    lower_case_headers,
    missing_meta,
    missing_method_header,
    missing_name_header,
    missing_prompt_argument,
    missing_session,
    missing_version_header,
    other_verbs,
    parallel_requests,
    ping,
    tool_arguments,
    unknown_method,
    unknown_prompt,
    unknown_reference,
    unknown_resource,
    unknown_tool,
    unknown_version,
    unknown_version_header,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Collection

    from inspector.probes.probe import Probe
    from inspector.session.session import Session
    from inspector.wire.json_codec import JsonObject

PROBES: tuple[Probe, ...] = tuple(
    module.PROBE
    for module in (
        unknown_method,
        ping,
        bad_cursor,
        unknown_tool,
        tool_arguments,
        unknown_resource,
        unknown_prompt,
        missing_prompt_argument,
        unknown_reference,
        invalid_level,
        unknown_version,
        missing_meta,
        parallel_requests,
        large_request,
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
        missing_method_header,
        missing_name_header,
        lower_case_headers,
        other_verbs,
        last_event_id,
    )
)
"""All probes, in the order in which they run."""

_LISTS = ("tools", "prompts", "resources")
MAX_LISTED = 1_000
"""Items of a list from which a probe chooses."""


Lists: TypeAlias = "dict[str, list[JsonObject]]"
"""By their member, such as `tools`."""


class Concluded(NamedTuple):
    """A probe and what it came to."""

    probe: Probe
    result: ProbeResult


async def run_probes(
    session: Session,
    chosen: Collection[str] | None = None,
    *,
    calls_tools: bool = True,
    lists: Lists | None = None,
) -> AsyncIterator[Concluded]:
    """Run the probes whose keys are `chosen`, or all, and yield what each came to; findings are added to the transcript.

    `lists` has the lists from which they choose, by their member, if these have been read; a second reading would be checked again.

    Without `calls_tools` those that call a tool are not tried. The session stays connected; after its end the rest is not tried.
    """
    lists = await _read_lists(session) if lists is None else lists
    for probe in PROBES:
        if chosen is not None and probe.key not in chosen:
            continue
        context = ProbeContext(session, lists)
        text = f"Spyglass probes the server: {probe.title}"
        edits_http = probe.effect is Effect.OPENS_CONNECTIONS
        session.transcript.note(PROBING, text, probe=probe.key, edits_http=edits_http)
        result = ProbeResult(Outcome.NOT_TRIED, "it was stopped")
        try:
            result = await _run(probe, context, calls_tools=calls_tools)
        finally:
            # Without this note, rules would take everything that follows for the answer to a probe.
            text = f"{result.outcome.value}: {result.text}"
            session.transcript.note(PROBED, text, probe=probe.key)
        for frame, finding in result.findings:
            known = session.transcript.findings(frame) if frame else ()
            if frame and all(each.rule != finding.rule for each in known):
                session.transcript.add_finding(frame, finding)
        if result.findings:
            session.transcript.findings_changed.fire()
        yield Concluded(probe, result)


async def _run(probe: Probe, context: ProbeContext, *, calls_tools: bool) -> ProbeResult:
    if not calls_tools and probe.effect is Effect.CALLS_TOOL:
        return ProbeResult(Outcome.NOT_TRIED, "it calls a tool")
    if context.session.revision is None:
        return ProbeResult(Outcome.NOT_TRIED, "the connection has ended")
    reason = probe.needs(context)
    if reason:
        return ProbeResult(Outcome.NOT_APPLICABLE, reason)
    try:
        return await probe.run(context)
    except InspectorError as error:
        return ProbeResult(Outcome.NOT_TRIED, str(error))


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
