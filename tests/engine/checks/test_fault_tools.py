"""Each fault of the demo server is found by the rules that it breaks; all calls share one connection of each era."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, NamedTuple

import pytest

from inspector.config.profile import Profile
from inspector.demo.tools import TOOLS
from inspector.features.tools import AsTask
from inspector.finding import Severity
from inspector.session.session_state import SessionState
from inspector.spec.revision import V2025_11_25, V2026_07_28, Revision
from inspector.spec.subscription_filter import KINDS, SubscriptionFilter
from tests.support.demo_server import ROOT, declaring_all
from tests.support.findings import findings_of
from tests.support.wait import patience, wait_until

if TYPE_CHECKING:
    from inspector.features.tools import ToolCall
    from inspector.open_session import OpenSession
    from inspector.wire.json_codec import JsonObject

LATE_SECONDS = 3.0
"""Well beyond the time in which a response may cross our cancellation."""


class Fault(NamedTuple):
    """A call of a faulty tool, and what has to be found in the frames from its request to the next one."""

    tool: str
    arguments: JsonObject
    rules: frozenset[str]


def fault(tool: str, rules: str, **arguments: str | float | bool) -> Fault:
    """A call that breaks `rules`, which are separated by spaces."""
    return Fault(tool, {**arguments}, frozenset(rules.split()))


def answered(tool: str, rules: str, **arguments: str) -> Fault:
    """Likewise, followed by the proper answer."""
    return fault(tool, rules, **arguments, answer_after=True)


STATEFUL = (
    fault("fault_never_answer", "L-JR-14"),
    fault("fault_late_answer", "L-CAN-02", seconds=LATE_SECONDS),
    fault("fault_wrong_output", "L-TOOL-19", how="wrong_types"),
    fault("fault_wrong_output", "L-TOOL-18", how="missing"),
    fault("fault_wrong_output", "L-TOOL-19 L-TOOL-20", how="not_an_object"),
    fault("fault_wrong_output", "L-TOOL-21", how="other_text"),
    fault("fault_wrong_output", "L-TOOL-23", how="without_content"),
    fault("fault_wrong_content", "L-TOOL-44", how="unknown_type"),
    fault("fault_wrong_content", "L-TOOL-44", how="no_type"),
    fault("fault_wrong_content", "L-JR-30", how="no_text"),
    fault("fault_wrong_content", "L-TOOL-42", how="bad_base64"),
    fault("fault_wrong_content", "L-TOOL-43", how="wrong_mime_type"),
    fault("fault_wrong_content", "L-RES-05", how="text_and_blob"),
    fault("fault_wrong_content", "L-TOOL-41", how="link_without_uri"),
    fault("fault_wrong_content", "L-TOOL-23", how="not_a_list"),
    fault("fault_wrong_content", "L-JR-30", how="null_block"),
    answered("fault_wrong_id_type", "L-JR-06"),
    answered("fault_wrong_envelope", "L-JR-01", how="wrong_jsonrpc"),
    answered("fault_wrong_envelope", "L-JR-01", how="no_jsonrpc"),
    answered("fault_wrong_envelope", "L-JR-10", how="null_id"),
    answered("fault_wrong_envelope", "L-JR-03", how="result_and_error"),
    answered("fault_wrong_envelope", "not-a-message", how="neither"),
    answered("fault_wrong_envelope", "L-JR-15", how="in_a_batch"),
    fault("fault_duplicate_response", "L-JR-05"),
    fault("fault_unknown_id", "L-JR-04"),
    fault("fault_bad_progress", "L-PRG-03 L-PRG-05", how="backwards"),
    fault("fault_bad_progress", "L-PRG-04", how="beyond_total"),
    fault("fault_bad_progress", "L-PRG-01", how="unknown_token"),
    fault("fault_bad_progress", "L-PRG-07", how="words"),
    fault("fault_bad_progress", "L-PRG-02", how="too_late"),
    fault("fault_unknown_methods", "L-JR-31 L-JR-33"),
    fault("fault_task", "L-TK4-05", how="plain_result"),
    fault("fault_noise", "L-STD-01", kind="log_line"),
    fault("fault_noise", "L-STD-01", kind="colours"),
    fault("fault_noise", "", kind="blank_lines"),
    fault("fault_noise", "not-a-message", kind="other_json"),
    fault("fault_noise", "L-STD-01 L-JR-15 L-JR-16", kind="scalars"),
    fault("fault_noise", "L-STD-01", kind="traceback"),
    answered("fault_invalid_json", "not-a-message", how="cut_off"),
    answered("fault_invalid_json", "L-JR-19", how="not_a_number"),
    answered("fault_invalid_json", "L-STD-01", how="plain_text"),
    answered("fault_pretty_printed", "L-STD-02"),
    answered("fault_invalid_utf8", "L-JR-18"),
    fault("fault_flood", "L-LOG-07", count=2_000),
    fault("fault_huge_result", "L-MDL-13 L-TOOL-46", megabytes=1),
    fault("fault_deep_result", "not-judged"),
    # Neither breaks a rule: how bytes are split is the matter of the transport, and stderr is free.
    fault("fault_slow_bytes", "", seconds=0.1),
    fault("fault_stderr_flood", "", lines=2_000),
    fault("fault_odd_list", "L-TOOL-01 L-TOOL-03 L-TOOL-04 L-TOOL-09 L-JR-30"),
    fault("fault_crash", "L-STD-09 not-a-message", moment="mid_answer"),
)
"""In a revision with a handshake."""

STATELESS = (
    fault("fault_result_type", "L-JR-23", how="missing"),
    fault("fault_result_type", "L-JR-24", how="unknown"),
    fault("fault_result_type", "L-JR-24", how="number"),
    fault("fault_result_type", "L-TKX-04", how="task"),
    fault("fault_result_type", "L-MRTR-01", how="nothing_asked"),
    fault("fault_result_type", "L-MRTR-05", how="state_is_object"),
    fault("fault_unknown_methods", "L-JR-31 L-MRTR-03"),
    fault("fault_endless_rounds", "L-MRTR-09"),
    fault("fault_wrong_question", "L-MRTR-03", how="unknown_method"),
    fault("fault_wrong_question", "L-MRTR-03", how="method_of_clients"),
    fault("fault_wrong_question", "L-ELI-02", how="no_form"),
    fault("fault_wrong_question", "L-ELI-08", how="unknown_mode"),
    fault("fault_wrong_question", "L-SMP-01", how="no_messages"),
    fault("fault_server_request", "L-JR-22"),
    fault("fault_wrong_announcement", "L-SUB-02", how="untagged"),
    fault("fault_wrong_announcement", "L-SUB-02", how="wrong_tag"),
    fault("fault_wrong_announcement", "L-SUB-02", how="tag_of_other_type"),
    fault("fault_wrong_announcement", "L-SUB-03", how="not_asked"),
    fault("fault_wrong_announcement", "L-SUB-08 L-LOG-04", how="log"),
    fault("fault_lasting_task", "L-TKX-04", how="old_names"),
    fault("fault_close_stdout", "L-STD-15"),
)
"""In a revision without one."""


def test_every_fault_of_the_demo_server_is_called() -> None:
    """Ours."""
    called = {each.tool for each in (*STATEFUL, *STATELESS)}

    assert {tool.name for tool in TOOLS if tool.name.startswith("fault_")} == called


@pytest.mark.parametrize(
    ("revision", "faults"),
    [(V2025_11_25, STATEFUL), (V2026_07_28, STATELESS)],
    ids=["stateful", "stateless"],
)
async def test_every_fault_is_found_by_its_rules(
    revision: Revision, faults: tuple[Fault, ...]
) -> None:
    """Ours; a call that breaks no rule is silent, too."""
    command = ("-m", "inspector.demo")
    profile = Profile(command=sys.executable, args=command, cwd=str(ROOT), revision=revision.date)
    firsts: list[int] = []
    calls: list[ToolCall] = []
    async with declaring_all(profile) as opened:
        transcript = opened.session.transcript
        if not revision.stateful:
            stream = opened.session.listening.open(SubscriptionFilter(frozenset(KINDS)))
            await stream.settled()
        for each in faults:
            firsts.append(transcript.count + 1)
            if each.tool == "fault_crash":
                await wait_until(lambda: any(call.late_frame for call in calls))
            calls.append(await call(opened, each))
        await wait_until(lambda: opened.session.state is not SessionState.READY)
        await opened.session.aclose()
        assert not await opened.sweep.finish(patience())
    found = [findings_of(transcript, since=first) for first in firsts]

    for each, made, mine, later in zip(faults, calls, found, [*found[1:], []], strict=True):
        late = transcript.findings(made.late_frame) if made.late_frame else ()
        findings = [*mine[: len(mine) - len(later)], *late]
        assert each.rules <= {finding.rule for finding in findings}, each
        assert each.rules or all(it.severity <= Severity.INFO for it in findings), each


async def call(opened: OpenSession, each: Fault) -> ToolCall:
    """Call a faulty tool as a user would, and return the call, which is over unless nothing ever ends it."""
    tool = next(tool for tool in opened.tools.items if tool.name == each.tool)
    as_task = AsTask() if each.tool == "fault_task" else None
    before, inbox = opened.session.transcript.count, opened.inbox
    made = opened.tools.call(tool, json.dumps(each.arguments), as_task=as_task)
    if each.tool in {"fault_never_answer", "fault_late_answer"}:
        await wait_until(lambda: opened.session.transcript.count > before)
        if each.tool == "fault_late_answer":
            made.cancel()
        return made
    await wait_until(lambda: made.is_finished or inbox.pending)
    while each.tool == "fault_endless_rounds" and not made.is_finished:
        opened.elicitation.accept(inbox.pending[0], '{"word": "more"}')
        await wait_until(lambda: made.is_finished or inbox.pending)
    made.cancel()
    await made.wait()
    if each.tool == "fault_odd_list":
        await opened.tools.refresh()
    return made
