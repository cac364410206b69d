"""A step as Markdown, for the author of the server. Pure; secrets are masked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.auth.check import Verdict
from ui.features.authorization import message_text
from ui.features.authorization.check_list import SIGNS, source_text

if TYPE_CHECKING:
    from inspector.auth.flow import FlowStep


def step_report(step: FlowStep) -> str:
    """Return what failed, what was expected, the hint, the broken rules, and the exchange."""
    parts = [f"### {step.title}", step.problem or step.words]
    if step.expected:
        parts.append(f"- expected: `{step.expected}`\n- received: `{step.received or 'missing'}`")
    parts.append(step.remedy)
    broken = [each for each in step.checks if each.verdict is not Verdict.PASSED]
    parts.append(
        "\n".join(
            f"- {SIGNS[each.verdict][2]}: {each.words} ({source_text(each.source)})"
            for each in broken
        )
    )
    request = message_text.request_text(step.request) if step.request is not None else ""
    visit = message_text.visit_text(step.visit) if step.visit else ""
    callback = message_text.callback_text(step.callback) if step.callback else ""
    response = message_text.response_text(step.response)
    parts += [_fenced(text) for text in (request, visit, callback, response) if text]
    return "\n\n".join(part for part in parts if part) + "\n"


def _fenced(text: str) -> str:
    longest = "```"
    while longest in text:
        longest += "`"
    return f"{longest}http\n{text}\n{longest}"
