"""The page *Look*: every part of the design in one window, to see a change of a color, a size or a part at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QProgressBar,
    QRadioButton,
    QSpinBox,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from ui.theme import tokens
from ui.theme.palettes import READABLE
from ui.theme.signs import Sign
from ui.theme.stylesheet import NOTICE_TONES
from ui.widgets.badge import Badge
from ui.widgets.buttons import link_button, push_button, tool_button
from ui.widgets.code_text import CodeText
from ui.widgets.dialog_parts import DialogFoot, DialogTitle, destructive_button
from ui.widgets.empty_state import EmptyState
from ui.widgets.flow_layout import FlowLayout
from ui.widgets.key_values import KeyValue, KeyValues
from ui.widgets.labels import on_baseline, plain_label, set_icon, set_style_property
from ui.widgets.notice import Notice
from ui.widgets.segmented_control import SegmentedControl, ViewLinks
from ui.widgets.toggle_button import ToggleButton

if TYPE_CHECKING:
    from collections.abc import Callable

    from ui.theme import Theme

WIDTH, HEIGHT = 1360, 1000

GROUNDS = (
    "window",
    "panel",
    "sunken",
    "field",
    "raised",
    "button",
    "hover",
    "pressed",
    "selection",
    "selection_idle",
    "hairline",
    "outline",
    "ok_ground",
    "warning_ground",
    "error_ground",
    "info_ground",
    "person_ground",
)


class Look(QWidget):
    """Everything, in three columns."""

    def __init__(self, theme: Theme) -> None:
        """In the colors and sizes of `theme`."""
        super().__init__()
        self.setObjectName("look")
        self.setProperty("surface", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.resize(theme.px(WIDTH), theme.px(HEIGHT))
        row = QHBoxLayout(self)
        for parts in COLUMNS:
            column = QVBoxLayout()
            for title, make in parts:
                column.addWidget(plain_label(title, tone="title"))
                made = make(theme)
                if isinstance(made, QLayout):
                    column.addLayout(made)
                else:
                    column.addWidget(made)
                column.addSpacing(theme.px(12))
            column.addStretch(1)
            row.addLayout(column, 1)


def _flow(theme: Theme, *parts: QWidget) -> QLayout:
    flow = FlowLayout(theme.px(6))
    for part in parts:
        flow.addWidget(part)
    return flow


def _type(theme: Theme) -> QWidget:
    whole = QWidget()
    column = QVBoxLayout(whole)
    for text, font in (
        ("Title of a page", theme.font(tokens.TITLE, bold=True)),
        ("Title of a detail", theme.font(tokens.NAME, bold=True)),
        ("Text, labels, cells", theme.font()),
        ("Help, counts, column headers", theme.font(tokens.SMALL)),
    ):
        plain, mono = plain_label(text), plain_label("wire_data")
        plain.setFont(font)
        mono.setFont(theme.mono())
        on_baseline(plain, mono)
        line = QHBoxLayout()
        line.addWidget(plain)
        line.addWidget(mono)
        line.addStretch(1)
        column.addLayout(line)
    return whole


def _buttons(theme: Theme) -> QLayout:
    disabled, off = push_button("Disabled", name="a"), push_button("Call", name="b", primary=True)
    for each in (disabled, off):
        each.setEnabled(False)
    checked = tool_button(theme, Sign.FOLLOW, "Follow", name="c", checkable=True)
    checked.setChecked(True)
    return _flow(
        theme,
        push_button("Call", name="d", primary=True),
        push_button("Reconnect", name="e"),
        destructive_button("Reject", name="f"),
        link_button("Show in traffic", name="g"),
        tool_button(theme, Sign.REFRESH, "Refresh", name="h"),
        checked,
        disabled,
        off,
    )


def _choices(theme: Theme) -> QLayout:
    on, off = (
        ToggleButton(text, theme=theme, name=text.lower()) for text in ("Errors 3", "Warnings 4")
    )
    on.setChecked(True)
    narrow = SegmentedControl((("a", "Structured"), ("b", "Content 12"), ("c", "Raw")))
    narrow.setFixedWidth(theme.px(140))
    return _flow(
        theme,
        SegmentedControl((("form", "Form"), ("json", "JSON"), ("schema", "Schema"))),
        narrow,
        ViewLinks((("text", "Text"), ("json", "JSON"), ("raw", "Raw"))),
        on,
        off,
    )


def _fields(theme: Theme) -> QWidget:
    whole = QWidget()
    column = QVBoxLayout(whole)
    invalid, fixed, off = (QLineEdit(text) for text in ("not a number", "read only", "disabled"))
    set_style_property(invalid, "problem", value=True)
    fixed.setReadOnly(True)
    off.setEnabled(False)
    box, spin = QComboBox(), QSpinBox()
    box.addItem("celsius")
    text = QPlainTextEdit("Several\nlines")
    text.setProperty("field", True)
    text.setFixedHeight(theme.px(48))
    empty = QLineEdit()
    empty.setPlaceholderText("Filter tools")
    for part in (QLineEdit("Lisbon"), empty, invalid, fixed, off, box, spin, text):
        column.addWidget(part)
    checks = QHBoxLayout()
    for check in (QCheckBox("Off"), QCheckBox("On"), QRadioButton("One"), QRadioButton("Other")):
        check.setChecked(check.text() in {"On", "One"})
        checks.addWidget(check)
    column.addLayout(checks)
    bar = QProgressBar()
    bar.setTextVisible(False)
    bar.setValue(40)
    column.addWidget(bar)
    return whole


def _badges(theme: Theme) -> QLayout:
    return _flow(theme, *(Badge(tone, theme=theme, tone=tone) for tone in READABLE))


def _notices(theme: Theme) -> QWidget:
    whole = QWidget()
    column = QVBoxLayout(whole)
    for tone in NOTICE_TONES:
        notice = Notice(theme=theme, name=f"notice_{tone}", tone=tone, parent=whole)
        notice.set_text(f"This is a notice of the tone {tone}.", "It explains itself in a line.")
        notice.add_button("Review", name="review")
        notice.add_link("Show frame", name="frame")
        column.addWidget(notice)
    return whole


def _facts(theme: Theme) -> QWidget:
    facts = KeyValues(theme=theme)
    facts.set_facts(
        (
            KeyValue("Server", "demo 1.0", mono=False),
            KeyValue("Protocol revision", "2025-11-25"),
            KeyValue("Path", "/a/very/long/path " * 4),
        )
    )
    return facts


def _data(theme: Theme) -> QWidget:
    code = CodeText(theme=theme, name="code")
    code.set_code('{"city": "Lisbon", "days": 2}', accessible_name="Arguments")
    return code


def _rows(theme: Theme) -> QWidget:
    rows = QListWidget()
    rows.addItems(["Echo", "Add two numbers", "Weather"])
    rows.setCurrentRow(1)
    rows.setFixedHeight(theme.px(72))
    return rows


def _tabs(_theme: Theme) -> QWidget:
    tabs = QTabBar()
    for text in ("Overview", "Tools", "Resources"):
        tabs.addTab(text)
    tabs.setCurrentIndex(1)
    tabs.setTabEnabled(2, False)
    return tabs


def _empty(theme: Theme) -> QWidget:
    state = EmptyState(
        "No tasks", "Call a tool as a task.", theme=theme, icon=Sign.TASK, action="Show tools"
    )
    state.setFixedHeight(theme.px(160))
    return state


def _dialog(theme: Theme) -> QWidget:
    whole = QWidget()
    column = QVBoxLayout(whole)
    title = DialogTitle(theme=theme, name="title", sign=Sign.SAMPLING, tone="person", parent=whole)
    title.set_text("Sampling requested by Demo server")
    foot = DialogFoot(theme=theme, name="foot", parent=whole)
    foot.add_left(destructive_button("Reject", name="reject"))
    foot.add_right(push_button("Review later", name="later"))
    foot.add_right(push_button("Send response", name="send", primary=True))
    column.addWidget(title)
    column.addWidget(foot)
    return whole


def _signs(theme: Theme) -> QLayout:
    labels: list[QWidget] = []
    for sign in Sign:
        label = QLabel()
        label.setToolTip(sign.name)
        set_icon(label, theme, sign, "muted")
        labels.append(label)
    return _flow(theme, *labels)


def _colors(theme: Theme) -> QWidget:
    whole = QWidget()
    grid = QGridLayout(whole)
    grid.setSpacing(theme.px(2))
    for at, name in enumerate(GROUNDS):
        swatch = QLabel(name)
        swatch.setAutoFillBackground(True)
        palette = swatch.palette()
        palette.setColor(swatch.backgroundRole(), theme.color(name))
        swatch.setPalette(palette)
        swatch.setMargin(theme.px(3))
        grid.addWidget(swatch, at // 3, at % 3)
    return whole


_Part = tuple[str, "Callable[[Theme], QWidget | QLayout]"]

COLUMNS: tuple[tuple[_Part, ...], ...] = (
    (
        ("Type", _type),
        ("Buttons", _buttons),
        ("One of several, and toggles", _choices),
        ("Fields", _fields),
        ("Tabs", _tabs),
    ),
    (
        ("Badges", _badges),
        ("Notices", _notices),
        ("Key and value", _facts),
        ("Wire data", _data),
        ("Rows", _rows),
    ),
    (
        ("Empty state", _empty),
        ("Dialog", _dialog),
        ("Signs", _signs),
        ("Colors", _colors),
    ),
)
