"""The steps of an authorization as rows of a ladder diagram: those that were done, the next one, and those to come. Pure."""

from __future__ import annotations

import math
from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from inspector.auth.check import CheckResult, worst
from inspector.auth.flow import FlowStep, StepStatus
from inspector.auth.settings import Settings, Way
from inspector.auth.state import Stage
from inspector.frozen import FrozenStruct
from inspector.wire.redaction import mask_urls
from ui.widgets.units import duration, plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.auth.state import Planned


class Party(IntEnum):
    """Who takes part, from left to right."""

    CLIENT = 0
    SERVER = 1
    AUTHORIZATION_SERVER = 2
    BROWSER = 3


PARTY_NAMES = {
    Party.CLIENT: "the client",
    Party.SERVER: "the MCP server",
    Party.AUTHORIZATION_SERVER: "the authorization server",
    Party.BROWSER: "the browser",
}


class RowStatus(StrEnum):
    """Where a row stands; the value is its word for assistive technology."""

    DONE = "done"
    WARNING = "done with problems"
    MISSED = "nothing found"
    FAILED = "failed"
    RUNNING = "running"
    NEXT = "next"
    COMING = "not started"


class LadderRow(FrozenStruct, frozen=True):
    """One row."""

    number: int
    """From 1."""
    stage: Stage
    """The kind of step."""
    title: str
    """What the step does."""
    detail: str
    """What it sends, or what came of a local step; secrets masked."""
    status: RowStatus
    """Where it stands."""
    start: Party
    """Where its arrow begins; where its dot is, if it has no arrow."""
    end: Party | None
    """Where its arrow ends; None for a local check."""
    label: str
    """The word on the arrow or beside the dot."""
    seconds: float = math.nan
    """How long it took; not a number where that is not known."""
    step: FlowStep | None = None
    """The step, if it began."""
    planned: Planned | None = None
    """What it will send, if it is the next one and that is known."""

    @property
    def is_to_come(self) -> bool:
        """Whether it has not begun."""
        return self.step is None

    @property
    def time_text(self) -> str:
        """How long it took, for the right edge."""
        return "" if math.isnan(self.seconds) else duration(self.seconds)

    @property
    def accessible_text(self) -> str:
        """Everything that is painted of the row, as text."""
        parts = [f"{self.number}. {self.title}", self.status.value, self._arrow_text, self.detail]
        if self.step is not None and self.step.problem:
            parts.append(self.step.problem)
        return ", ".join(part for part in (*parts, self.time_text) if part)

    @property
    def _arrow_text(self) -> str:
        if self.end is None:
            return self.label
        way = f"from {PARTY_NAMES[self.start]} to {PARTY_NAMES[self.end]}"
        return f"{self.label} {way}".strip()


class StageRow(NamedTuple):
    """What the ladder shows of a kind of step before more is known."""

    title: str
    start: Party
    """Where its arrow begins."""
    end: Party
    """Where its arrow ends."""
    label: str
    """The text on the arrow."""


STAGES = {
    Stage.CHALLENGE: StageRow("Read the challenge", Party.SERVER, Party.CLIENT, "401"),
    Stage.RESOURCE: StageRow("Get protected resource metadata", Party.CLIENT, Party.SERVER, "GET"),
    Stage.SERVER: StageRow(
        "Get authorization server metadata", Party.CLIENT, Party.AUTHORIZATION_SERVER, "GET"
    ),
    Stage.CLIENT: StageRow(
        "Register or select the client", Party.CLIENT, Party.AUTHORIZATION_SERVER, "POST"
    ),
    Stage.AUTHORIZATION: StageRow(
        "Log in with the browser", Party.CLIENT, Party.BROWSER, "open URL"
    ),
    Stage.ASSERTION: StageRow(
        "Get the assertion", Party.CLIENT, Party.AUTHORIZATION_SERVER, "POST"
    ),
    Stage.TOKEN: StageRow("Request tokens", Party.CLIENT, Party.AUTHORIZATION_SERVER, "POST"),
    Stage.CALL: StageRow("Call the server with the token", Party.CLIENT, Party.SERVER, "token"),
}

_ORDER = tuple(Stage)


def ladder_rows(
    steps: Sequence[FlowStep], planned: Planned | None, settings: Settings, *, has_tokens: bool
) -> tuple[LadderRow, ...]:
    """Return rows of `steps`, of the `planned` one and of those that follow."""
    done = [_step_row(step) for step in steps]
    last = steps[-1] if steps else None
    if last is not None and last.status is StepStatus.RUNNING:
        coming = _after(last.stage, settings)
    elif planned is not None:
        done.append(_planned_row(len(done) + 1, planned))
        coming = _after(planned.stage, settings)
    elif last is None:
        coming = _after(None, settings)
    else:
        coming = _after(Stage.TOKEN if has_tokens else last.stage, settings)
        coming = () if last.stage is Stage.CALL else coming
    rows = [_coming_row(len(done) + at, stage) for at, stage in enumerate(coming, start=1)]
    return (*done, *rows)


def _after(stage: Stage | None, settings: Settings) -> tuple[Stage, ...]:
    """Return the kinds of steps that follow one of `stage`."""
    left_out = {Stage.CHALLENGE}
    if settings.way is not Way.CODE:
        left_out.add(Stage.AUTHORIZATION)
    if settings.way not in {Way.ENTERPRISE, Way.WORKLOAD}:
        left_out.add(Stage.ASSERTION)
    start = _ORDER.index(stage) + 1 if stage is not None else 0
    return tuple(each for each in _ORDER[start:] if each not in left_out)


def _step_row(step: FlowStep) -> LadderRow:
    start, end = _arrow(step)
    return LadderRow(
        step.number,
        step.stage,
        step.title,
        _detail(step),
        _status(step),
        start,
        end,
        _label(step, is_local=end is None),
        step.seconds if step.request is not None or step.visit else math.nan,
        step,
    )


def _status(step: FlowStep) -> RowStatus:
    if step.status is StepStatus.RUNNING:
        return RowStatus.RUNNING
    if step.status is StepStatus.FAILED:
        return RowStatus.FAILED
    looked = step.stage in {Stage.RESOURCE, Stage.SERVER} and step.request is not None
    if looked and not _found(step):
        return RowStatus.MISSED
    is_broken = worst(step.checks) in {CheckResult.FAILED, CheckResult.WARNING}
    return RowStatus.WARNING if is_broken else RowStatus.DONE


def _found(step: FlowStep) -> bool:
    """Return whether a metadata step found its document: then it has something to check."""
    return step.response.is_good and any(check.pointer for check in step.checks)


def _arrow(step: FlowStep) -> tuple[Party, Party | None]:
    _, start, end, _ = STAGES[step.stage]
    if step.callback:
        return Party.BROWSER, Party.CLIENT
    is_sent = step.request is not None or bool(step.visit)
    if step.stage in {Stage.CHALLENGE, Stage.CALL} or is_sent:
        return start, end
    return Party.CLIENT, None


def _label(step: FlowStep, *, is_local: bool) -> str:
    if step.stage is Stage.CHALLENGE:
        return str(step.before.status or "")
    if is_local:
        return plural(len(step.checks), "check") if step.checks else "local"
    if step.stage is Stage.AUTHORIZATION:
        return "redirect" if step.callback else STAGES[step.stage].label
    if step.response.status:
        return str(step.response.status)
    if step.status is StepStatus.FAILED and step.stage is not Stage.CALL:
        return "no response"
    return STAGES[step.stage].label


def _detail(step: FlowStep) -> str:
    if step.request is not None:
        return _request_text(step.request.verb, step.request.url)
    if step.visit:
        return _visit_text(step.visit)
    return step.reason or ""


def _request_text(verb: str, url: str) -> str:
    parts = _split(url)
    path = parts[1] or "/"
    return mask_urls(f"{verb} {path}")


def _visit_text(url: str) -> str:
    """Return host and path of a URL that is opened; what it carries stands in the detail."""
    host, path = _split(url)
    return f"{host}{path.partition('?')[0]}"


def _split(url: str) -> tuple[str, str]:
    try:
        parts = urlsplit(url)
    except ValueError:
        return "", url
    return parts.netloc, f"{parts.path}?{parts.query}" if parts.query else parts.path


def _planned_row(number: int, planned: Planned) -> LadderRow:
    _, start, end, label = STAGES[planned.stage]
    detail = ""
    if planned.request is not None:
        detail = _request_text(planned.request.verb, planned.request.url)
    elif planned.visit:
        detail = _visit_text(planned.visit)
    is_local = (
        planned.request is None and not planned.visit and planned.stage is not Stage.CHALLENGE
    )
    return LadderRow(
        number,
        planned.stage,
        planned.title,
        detail,
        RowStatus.NEXT,
        Party.CLIENT if is_local else start,
        None if is_local else end,
        "local" if is_local else label,
        planned=planned,
    )


def _coming_row(number: int, stage: Stage) -> LadderRow:
    title, start, end, label = STAGES[stage]
    return LadderRow(number, stage, title, "", RowStatus.COMING, start, end, label)
