"""Texts of the rows of problems. Nothing is said by color alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct
from inspector.visible_text import one_line
from ui.problems.selection import Grouping
from ui.render.rule_text import SEVERITY_TEXTS, rule_title
from ui.widgets.labels import unquoted
from ui.widgets.units import clock_time, plural

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.finding import Severity
    from inspector.transcript.transcript import Transcript
    from ui.problems.groups import Group, Item, ProblemGroups

MAX_TEXT = 500
"""Characters of one finding in a row."""

MAX_POINTER = 120
"""Characters of a pointer in a row."""

MAX_NAMES = 5
"""Names in a row."""


class ProblemRow(FrozenStruct, frozen=True):
    """What is displayed of a row."""

    title: str
    """The title of a group, or what was found."""
    count: str
    """Occurrences of a group."""
    where: str
    """What it is about."""
    rule: str
    """The id of the rule, or how many rules there are."""
    severity: Severity
    """Of the gravest finding."""
    number: int = 0
    """The frame of a finding; 0 for a group."""
    pointer: str = ""
    """Where in the frame."""
    is_new: bool = False
    """Whether a group is new since the run before."""

    @property
    def text(self) -> str:
        """The first cell as one text."""
        if not self.number:
            return f"{self.title} (new)" if self.is_new else self.title
        return "  ".join(part for part in (f"#{self.number}", self.pointer, self.title) if part)


def group_row(
    groups: ProblemGroups, group: Group, transcript: Transcript, masked: Callable[[str], str]
) -> ProblemRow:
    """Return what is displayed of a group; `masked` takes the secrets out of a text."""
    rules = list(group.rules)
    rule = rules[0] if len(rules) == 1 else plural(len(rules), "rule")
    return ProblemRow(
        masked(_title(group, groups.selection.grouping, transcript)),
        f"{groups.count_of(group):,}",
        "" if groups.selection.grouping is Grouping.TOOL else masked(names_text(group)),
        rule,
        group.severity,
        is_new=group.is_new,
    )


def item_row(
    groups: ProblemGroups, item: Item, transcript: Transcript, masked: Callable[[str], str]
) -> ProblemRow:
    """Return what is displayed of a finding; `masked` takes the secrets out of a text."""
    number, finding = item
    grouping = groups.selection.grouping
    moment = clock_time(transcript.columns.wall_s[number - 1]).partition(".")[0]
    about = masked(groups.about(item).name)
    return ProblemRow(
        one_line(unquoted(masked(finding.summary)), MAX_TEXT),
        "",
        moment if grouping is Grouping.TOOL else f"{about} · {moment}",
        "" if grouping is Grouping.RULE else finding.rule,
        finding.severity,
        number,
        one_line(masked(finding.pointer), MAX_POINTER),
    )


def names_text(group: Group) -> str:
    """Return what the findings of a group are about: one name, a few, or how many and the first of them."""
    names = list(group.names)
    if len(names) <= 2 and not group.more_names:
        return ", ".join(names)
    are_tools = all(group.names.values())
    count = f"{len(names):,}{'+' if group.more_names else ''}"
    rest = ", …" if len(names) > MAX_NAMES else ""
    return f"{count} {'tools' if are_tools else 'items'}: {', '.join(names[:MAX_NAMES])}{rest}"


def row_sentence(row: ProblemRow, *, is_open: bool | None) -> str:
    """Return a row as one sentence; `is_open` is whether a group is unfolded, None for a finding."""
    severity = SEVERITY_TEXTS[row.severity]
    if is_open is None:
        where = f" at {row.pointer}" if row.pointer else ""
        return f"{severity} in frame {row.number}{where}: {row.title}, {row.where}"
    parts = (
        f"{severity}: {row.title}",
        "new" if row.is_new else "",
        plural(int(row.count.replace(",", "")), "occurrence"),
        row.where,
        row.rule,
        "unfolded" if is_open else "folded",
    )
    return ", ".join(part for part in parts if part)


def _title(group: Group, grouping: Grouping, transcript: Transcript) -> str:
    if grouping is Grouping.RULE:
        return rule_title(str(group.key))
    if grouping is Grouping.TOOL:
        return str(group.key)
    number = int(group.key)
    columns = transcript.columns
    method = columns.methods.texts[columns.method[number - 1]]
    return f"#{number} {one_line(method, MAX_POINTER)}".rstrip()
