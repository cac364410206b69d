"""The findings of one transcript in groups, filtered and in a stable order. Knows no Qt.

New findings join the group they belong to, and new groups the end of those of their severity: nothing moves but to make room. Findings stay in
the transcript; a group has only their positions, so that a hundred thousand take little.
"""

from __future__ import annotations

import time
from array import array
from bisect import bisect_left, insort
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, NamedTuple

from inspector.finding import Severity
from inspector.rules import RULES
from ui.problems.selection import Grouping, Selection
from ui.problems.subjects import AboutFinding, Subjects

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from inspector.finding import Finding
    from inspector.transcript.rule_findings import RuleFindings
    from inspector.transcript.transcript import Transcript

MAX_NAMES = 50
"""Names of what the findings of a group are about that are kept; the others are counted."""

PIECE = 200
"""Findings between two looks at the clock."""


class Item(NamedTuple):
    """One finding."""

    number: int
    """Its frame."""
    finding: Finding
    """What is wrong."""


class Group:
    """Findings with something in common."""

    __slots__ = (
        *("count", "is_new", "items", "key", "more_names"),
        *("names", "rank", "rules", "severity"),
    )

    def __init__(self, key: str | int) -> None:
        """Start empty; `key` is a rule id, the name of a tool or method, or the number of a frame."""
        self.key = key
        self.severity = Severity.INFO
        """Of the gravest finding."""
        self.is_new = False
        """Whether a rule found something here that found nothing in the run before."""
        self.count = 0
        """All findings, also those that the transcript did not keep."""
        self.items = array("Q")
        """Its findings, packed: position of the rule, position among its findings."""
        self.names: dict[str, bool] = {}
        """What the findings are about, and whether it is a tool."""
        self.more_names = False
        """Whether there are more than are kept."""
        self.rules: dict[str, None] = {}
        """The rules that found something."""
        self.rank = 0
        """By which groups are in order; ready, for to compute it takes longer than to sort."""

    def update_rank(self, count: int) -> None:
        """Have the rank of a group with so many findings: the gravest first, then new ones, then by their number."""
        self.rank = (-self.severity * 2 - self.is_new << _SHIFT) - count

    def add(self, packed: int, rule: str, severity: Severity, about: AboutFinding) -> None:
        """Take a finding."""
        self.items.append(packed)
        self.count += 1
        self.severity = max(self.severity, severity)
        self.rules[rule] = None
        if about.name not in self.names:
            if len(self.names) < MAX_NAMES:
                self.names[about.name] = about.is_tool
            else:
                self.more_names = True


class Additions(NamedTuple):
    """Findings that were read and are not displayed yet."""

    groups: dict[str | int, Group]
    """Groups with what they get: new ones, and parts of those that exist."""

    def __bool__(self) -> bool:
        """Whether there is anything."""
        return bool(self.groups)


class ProblemGroups:
    """The groups of one transcript under one selection, and which of them are unfolded."""

    def __init__(
        self,
        transcript: Transcript | None,
        selection: Selection,
        *,
        earlier: Mapping[str, RuleFindings] | None = None,
        muted: Collection[str] = (),
        title: Callable[[str], str] | None = None,
    ) -> None:
        """Start without findings; `earlier` has those of the run before, None without one; `title` returns the title of a rule."""
        self.selection = selection
        self.visible: list[Group] = []
        """The groups in their order."""
        self.unfolded: set[str | int] = set()
        """The keys of the groups that are unfolded, also before they have findings."""
        self._transcript = transcript
        self._earlier = earlier
        self._muted = frozenset(muted)
        self._title = title or _title
        self._subjects = Subjects(transcript) if transcript is not None else None
        self._terms = selection.text.split()
        self._is_exact = selection.text != selection.text.lower()
        self._rules: list[RuleFindings] = []
        self._read: list[int] = []
        """How many findings of each rule were read."""
        self._as_of: list[tuple[int, Severity]] = []
        """Generation and severity of each rule when it was read first."""
        self._by_key: dict[str | int, Group] = {}
        self._positions: dict[str | int, int] | None = {}
        """Key → position; None until they are looked up again after groups have moved."""
        self._open: list[int] = []
        """The positions of the unfolded groups, ascending."""

    # --- reading ---------------------------------------------------------------------------------

    @property
    def is_outdated(self) -> bool:
        """Whether findings that were read are others now, so that all of them have to be read again."""
        return any(
            before != (rule.generation, rule.severity)
            for rule, before in zip(self._rules, self._as_of, strict=True)
        )

    @property
    def is_complete(self) -> bool:
        """Whether all findings so far were read."""
        if self._transcript is None:
            return True
        return len(self._transcript.rule_findings) == len(self._rules) and all(
            len(rule.findings) == read for rule, read in zip(self._rules, self._read, strict=True)
        )

    def read(self, until: float) -> Additions:
        """Read findings until `time.perf_counter()` is past `until`; `apply` displays them."""
        found = Additions({})
        if self._transcript is None:
            return found
        rules = self._transcript.rule_findings
        if len(rules) > len(self._rules):
            known = {rule.rule for rule in self._rules}
            for id_, rule in rules.items():
                if id_ not in known:
                    self._rules.append(rule)
                    self._read.append(0)
                    self._as_of.append((rule.generation, rule.severity))
        for slot, rule in enumerate(self._rules):
            while self._read[slot] < len(rule.findings):
                self._read_piece(slot, rule, found)
                if time.perf_counter() >= until:
                    return found
        return found

    def _read_piece(self, slot: int, rule: RuleFindings, found: Additions) -> None:
        start = self._read[slot]
        end = min(start + PIECE, len(rule.findings))
        self._read[slot] = end
        if rule.rule in self._muted or rule.severity in self.selection.hidden:
            self._read[slot] = len(rule.findings)
            return
        subjects, grouping = self._subjects, self.selection.grouping
        assert subjects is not None
        is_new = self.is_new(rule.rule)
        heading = f"{rule.rule} {self._title(rule.rule)}"
        for at in range(start, end):
            number, finding = rule.numbers[at], rule.findings[at]
            about = subjects.about(number, finding.pointer)
            if self._terms and not self._matches(heading, number, finding, about.name):
                continue
            key = _key(grouping, rule.rule, number, about)
            group = found.groups.get(key)
            if group is None:
                group = found.groups[key] = Group(key)
            severity = rule.severity if grouping is Grouping.RULE else finding.severity
            group.add(slot << _SHIFT | at, rule.rule, severity, about)
            group.is_new |= is_new

    def is_new(self, rule: str) -> bool:
        """Whether a rule found nothing in the run before; False without a run before."""
        before = self._earlier.get(rule) if self._earlier is not None else None
        return self._earlier is not None and (before is None or not before.count)

    def _matches(self, heading: str, number: int, finding: Finding, name: str) -> bool:
        text = f"{heading} #{number} {finding.summary} {finding.pointer} {name}"
        text = text if self._is_exact else text.lower()
        return all(term in text for term in self._terms)

    # --- rows ------------------------------------------------------------------------------------

    def __len__(self) -> int:
        """Rows: groups, and the findings of those that are unfolded."""
        return len(self.visible) + sum(len(self.visible[at].items) for at in self._open)

    def locate(self, row: int) -> tuple[Group, int]:
        """Return the group of a row, and which of its findings the row is; -1 for the group itself."""
        extra = 0
        for at in self._open:
            if row <= at + extra:
                break
            count = len(self.visible[at].items)
            if row <= at + extra + count:
                return self.visible[at], row - at - extra - 1
            extra += count
        return self.visible[row - extra], -1

    def row_of(self, at: int) -> int:
        """Return the row of the group at a position."""
        before = self._open[: bisect_left(self._open, at)]
        return at + sum(len(self.visible[each].items) for each in before)

    def position(self, key: str | int) -> int | None:
        """Return the position of a group; None if it is not displayed."""
        if self._positions is None:
            self._positions = {group.key: at for at, group in enumerate(self.visible)}
        return self._positions.get(key)

    def item(self, group: Group, child: int) -> Item:
        """Return a finding of a group."""
        slot, at = divmod(group.items[child], 1 << _SHIFT)
        rule = self._rules[slot]
        return Item(rule.numbers[at], rule.findings[at])

    def count_of(self, group: Group) -> int:
        """Return how many findings a group has, with those that the transcript did not keep where all of the rule are displayed."""
        if self.selection.grouping is not Grouping.RULE or self._terms or self._transcript is None:
            return group.count
        rule = self._transcript.rule_findings.get(str(group.key))
        return max(group.count, rule.count if rule is not None else 0)

    def by_rule(self, limit: int) -> dict[str, tuple[list[Item], int]]:
        """Return the displayed findings of each rule, at most `limit` of them, and how many there are."""
        found: dict[str, tuple[list[Item], int]] = {}
        for group in self.visible:
            if self.selection.grouping is Grouping.RULE:
                items = [self.item(group, child) for child in range(min(len(group.items), limit))]
                found[str(group.key)] = items, self.count_of(group)
                continue
            for child, packed in enumerate(group.items):
                rule = self._rules[packed >> _SHIFT].rule
                items, count = found.get(rule, ([], 0))
                if count < limit:
                    items.append(self.item(group, child))
                found[rule] = items, count + 1
        return found

    def about(self, item: Item) -> AboutFinding:
        """Return what a finding is about."""
        assert self._subjects is not None
        return self._subjects.about(item.number, item.finding.pointer)

    def is_open(self, at: int) -> bool:
        """Whether the group at a position is unfolded."""
        index = bisect_left(self._open, at)
        return index < len(self._open) and self._open[index] == at

    def set_open(self, at: int, *, is_open: bool) -> None:
        """Unfold or fold the group at a position."""
        if is_open == self.is_open(at):
            return
        if is_open:
            insort(self._open, at)
            self.unfolded.add(self.visible[at].key)
        else:
            self._open.remove(at)
            self.unfolded.discard(self.visible[at].key)

    # --- changes ---------------------------------------------------------------------------------

    def existing(self, found: Additions) -> list[tuple[int, Group]]:
        """Return the positions of the groups that get more findings, and what they get."""
        more = (group for key, group in found.groups.items() if key in self._by_key)
        placed = [(at, group) for group in more if (at := self.position(group.key)) is not None]
        return sorted(placed, key=itemgetter(0))

    def extend(self, at: int, more: Group) -> None:
        """Add to the group at a position."""
        group = self.visible[at]
        group.items.extend(more.items)
        group.count += more.count
        group.severity = max(group.severity, more.severity)
        group.is_new |= more.is_new
        group.update_rank(group.count)
        group.rules |= more.rules
        group.more_names |= more.more_names
        for name, is_tool in more.names.items():
            if name in group.names or len(group.names) < MAX_NAMES:
                group.names[name] = is_tool
            else:
                group.more_names = True

    def fresh(self, found: Additions) -> dict[Severity, list[Group]]:
        """Return the groups that are new, by severity, the gravest first."""
        blocks: dict[Severity, list[Group]] = {}
        new = [group for key, group in found.groups.items() if key not in self._by_key]
        for severity in reversed(Severity):
            if block := [group for group in new if group.severity is severity]:
                blocks[severity] = block
        return blocks

    def end_of(self, severity: Severity) -> int:
        """Return the position after the last group that is as grave."""
        for at in range(len(self.visible), 0, -1):
            if self.visible[at - 1].severity >= severity:
                return at
        return 0

    def insert(self, at: int, block: list[Group]) -> None:
        """Put folded groups in at a position."""
        if at < len(self.visible):
            self._positions = None
        elif self._positions is not None:
            self._positions |= {group.key: at + after for after, group in enumerate(block)}
        self.visible[at:at] = block
        for group in block:
            group.update_rank(group.count)
        self.unfolded.difference_update(group.key for group in block)
        self._by_key |= {group.key: group for group in block}
        index = bisect_left(self._open, at)
        self._open[index:] = [each + len(block) for each in self._open[index:]]

    def sort(self) -> None:
        """Put the groups in order: the gravest first, then new ones, then by their number of findings."""
        if self.selection.grouping is Grouping.RULE:
            for group in self.visible:
                group.update_rank(self.count_of(group))
        self.visible.sort(key=attrgetter("rank"))
        self._positions = None
        unfolded = self.unfolded
        self._open = [at for at, each in enumerate(self.visible) if each.key in unfolded]

    def take_all(self, found: Additions) -> None:
        """Display everything that was read, in order, before the rows are seen."""
        unfolded = set(self.unfolded)
        for at, more in self.existing(found):
            self.extend(at, more)
        for block in self.fresh(found).values():
            self.insert(len(self.visible), block)
        self.unfolded = unfolded
        self.sort()


_SHIFT = 40


def _title(rule: str) -> str:
    known = RULES.get(rule)
    return known.title if known is not None else rule


def _key(grouping: Grouping, rule: str, number: int, about: AboutFinding) -> str | int:
    if grouping is Grouping.RULE:
        return rule
    return about.name if grouping is Grouping.TOOL else number
