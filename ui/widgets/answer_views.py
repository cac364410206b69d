"""Several views of one result, of which one is visible: each is filled when it is first looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QScrollArea, QStackedWidget, QWidget

from inspector.visible_text import visible
from ui.widgets.json_view import JsonView
from ui.widgets.labels import QuotingLabel, plain_label, set_icon, set_tone
from ui.widgets.layout_parts import column_layout, row_layout
from ui.widgets.outcome_line import ICONS
from ui.widgets.segmented_control import SegmentedControl
from ui.widgets.text_view import TextView

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QResizeEvent

    from inspector.finding import Finding
    from ui.theme import Theme
    from ui.widgets.outcome_line import Found

MIN_PIXELS = 72
"""Minimum height at 100% of a view: a few lines. In a lower panel, what is around it scrolls."""

MAX_PROBLEMS = 200
"""Problems that are listed; the rest is counted."""

NOT_KEPT = "Too many problems in this session: not all were kept."
"""What is said where more may have been found than is listed."""


class AnswerView(NamedTuple):
    """One view."""

    key: str
    """A stable name."""
    label: Callable[[], str]
    """Returns the label of the view now; empty if there is nothing to show."""
    widget: QWidget
    """What is shown."""
    fill: Callable[[], object]
    """Fills the widget."""
    is_kept: bool = True
    """Whether the next result starts with this view after the user selected it."""


class ListedFinding(NamedTuple):
    """A finding about a message of the exchange."""

    finding: Finding
    """What was found."""
    message: str = ""
    """The message, as in `request #7`; empty for the response, whose views are beside it."""


class AnswerViews(QWidget):
    """The views of one result."""

    def __init__(
        self,
        views: Sequence[AnswerView],
        *,
        theme: Theme,
        name: str,
        parent: QWidget | None = None,
    ) -> None:
        """Start hidden; the first of `views` is the one to start with."""
        super().__init__(parent)
        self.setObjectName(name)
        self._by_key = {view.key: view for view in views}
        self._filled: set[str] = set()
        self._options: list[tuple[str, str]] = []
        self._selected = views[0].key
        self._awaited = ""
        """The view that the user selected last, while the visible result does not have it."""
        self._build(theme)
        self._views.chosen.connect(self._on_view_chosen)
        theme.changed.connect(self._apply_theme)
        self._apply_theme()
        self.clear()

    def _apply_theme(self) -> None:
        self.body.setMinimumHeight(self._theme.px(MIN_PIXELS))
        self._show_note()

    def _build(self, theme: Theme) -> None:
        name = self.objectName()
        self._views = SegmentedControl((), name=f"{name}_views", parent=self)
        self._note_icon = QLabel(self)
        self._note = plain_label(name=f"{name}_note", parent=self)
        self._theme, self._note_tone = theme, ""
        self.body = QStackedWidget(self)
        """The view that is visible."""
        for view in self._by_key.values():
            self.body.addWidget(view.widget)
        row = row_layout(None, space=theme.px(6))
        row.addWidget(self._views, 1, Qt.AlignmentFlag.AlignLeft)
        row.addWidget(self._note_icon)
        row.addWidget(self._note)
        layout = column_layout(self, row, space=theme.PADDING_PX)
        layout.addWidget(self.body, 1)

    def clear(self) -> None:
        """Show nothing."""
        self._filled.clear()
        self._views.hide()
        self.body.hide()
        self.set_note("", "")

    def set_note(self, text: str, tone: str) -> None:
        """Show a remark on the result at the right of the labels, with the sign and color of a tone; an empty text for none."""
        self._note.setText(text)
        self._note_tone = tone
        self._show_note()

    def _show_note(self) -> None:
        """Show the note where the labels leave enough of the width for it."""
        is_visible = bool(self._note.text()) and self._has_width_for_note()
        self._note.setVisible(is_visible)
        self._note_icon.setVisible(is_visible)
        if self._note_tone:
            set_icon(self._note_icon, self._theme, ICONS[self._note_tone], self._note_tone)
        set_tone(self._note, "muted" if self._note_tone == "ok" else self._note_tone)

    def _has_width_for_note(self) -> bool:
        width = self._views.sizeHint().width() + self._note.sizeHint().width()
        return width + 2 * self._theme.px(24) <= self.width()

    def show_result(
        self, instead: dict[str, str] | None = None, *, stale: Sequence[str] | None = None
    ) -> None:
        """Show a result in the view that the user selected last; `instead` maps views to better ones for this result.

        The `stale` views are filled again, by default all.
        """
        self._filled -= self._by_key.keys() if stale is None else {*stale}
        keys = self._offer()
        key = (instead or {}).get(self._selected, self._selected)
        self._awaited = "" if key in keys else key
        self.show_view(key if key in keys else keys[0])

    def refresh(self, *stale: str) -> None:
        """Update the labels of the visible result, and fill the `stale` views again when they are looked at.

        The view that the user selected last becomes visible if the result did not have it before.
        """
        keys = self._offer()
        self._filled -= {*stale}
        key = self._awaited if self._awaited in keys else self._views.current()
        self._awaited = "" if key == self._awaited else self._awaited
        self.show_view(key)

    def is_filled(self, key: str) -> bool:
        """Whether a view shows the result."""
        return key in self._filled

    def show_view(self, key: str) -> None:
        """Fill a view that has a label, and make it visible."""
        self._views.choose(key)
        if key not in self._filled:
            self._filled.add(key)
            self._by_key[key].fill()
        self.body.setCurrentWidget(self._by_key[key].widget)
        self._views.show()
        self.body.show()

    def _offer(self) -> list[str]:
        options = [(view.key, view.label()) for view in self._by_key.values()]
        options = [(key, label) for key, label in options if label]
        if options != self._options:
            self._options = options
            self._views.set_options(options)
            self._show_note()
        return [key for key, _ in options]

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show the note, or not, in another width."""
        super().resizeEvent(event)
        self._show_note()

    def _on_view_chosen(self, key: str) -> None:
        self._awaited = ""
        if self._by_key[key].is_kept:
            self._selected = key
        self.show_view(key)


def standard_views(
    *,
    theme: Theme,
    name: str,
    has_response: Callable[[], bool],
    message: Callable[[], bytes],
    response: Callable[[], bytes],
    problems: Callable[[], tuple[Found, Sequence[ListedFinding]]],
    masked: Callable[[str], str],
) -> tuple[AnswerView, ...]:
    """Return the views that every result has: its JSON `message` as a tree, the `response` as received, and the problems of the exchange, `masked`."""
    tree = JsonView(theme=theme, name=f"{name}_tree")
    raw = TextView(theme=theme, name=f"{name}_raw", file_name="result.json")
    listed = QuotingLabel(name=f"{name}_problems")
    listed.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
    area = QScrollArea()
    area.setAccessibleName("Result problems")
    area.setFrameShape(QScrollArea.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setWidget(listed)

    def problems_label() -> str:
        found, findings = problems()
        if found.text:
            return f"Problems {found.short}".rstrip()
        return f"Notes {len(findings):,}" if findings else ""

    def fill_problems() -> None:
        found, findings = problems()
        parts = (masked(_problems_text(findings)), NOT_KEPT if found.is_partial else "")
        listed.setText("\n\n".join(filter(None, parts)))

    return (
        AnswerView(
            "json", lambda: "JSON" if has_response() else "", tree, lambda: tree.set_raw(message())
        ),
        AnswerView(
            "raw", lambda: "Raw" if has_response() else "", raw, lambda: raw.set_raw(response())
        ),
        AnswerView("problems", problems_label, area, fill_problems),
    )


def _problems_text(findings: Sequence[ListedFinding]) -> str:
    from inspector.rules import rule_label  # for those who meet a finding

    parts: list[str] = []
    for finding, message in findings[:MAX_PROBLEMS]:
        pointer = " in ".join(filter(None, (finding.pointer, message)))
        pointer = f"\n    at {pointer}" if pointer else ""
        link = f"\n    {finding.link}" if finding.link else ""
        severity = finding.severity.name.lower()
        label = rule_label(finding.rule)
        parts.append(visible(f"{severity}: {finding.summary} ({label}){pointer}{link}"))
    if len(findings) > MAX_PROBLEMS:
        parts.append(f"and {len(findings) - MAX_PROBLEMS:,} more")
    return "\n\n".join(parts)
