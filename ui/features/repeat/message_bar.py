"""The line above the editor: the method, what the revision prescribes, where the message comes from, and copies in other formats."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QMenu, QWidget

from inspector.export.formats import CLI, CURL, PYTHON, TYPESCRIPT
from ui.features.repeat.method_box import MethodBox
from ui.theme import tokens
from ui.theme.signs import Sign
from ui.widgets.buttons import link_button
from ui.widgets.flow_layout import FlowLayout
from ui.widgets.layout_parts import row_layout

if TYPE_CHECKING:
    from collections.abc import Container

    from PySide6.QtGui import QResizeEvent

    from inspector.export.formats import Format
    from inspector.spec.revision import Revision
    from ui.theme import Theme

HEIGHT = 40
"""Pixels at 100%."""

WIDE = 820
"""Pixels at 100% from which on all texts are whole."""

COPIES = (
    (CURL, "cURL"),
    (CLI, "spyglass-cli command"),
    (PYTHON, "Python SDK program"),
    (TYPESCRIPT, "TypeScript SDK program"),
)
"""Formats of *Copy as…*, with their entries."""


class MessageBar(QWidget):
    """Method, envelope, id, original, copies.

    Signals:
        envelope_toggled: the message is to have what the revision prescribes, or not.
        new_id_changed: the user switched *New id*.
        original_requested: show the original message in the traffic.
        copies_requested: the formats are about to be offered.
        copy_requested: copy the message in this format.
    """

    envelope_toggled = Signal(bool)
    new_id_changed = Signal()
    original_requested = Signal()
    copies_requested = Signal()
    copy_requested = Signal(object)

    def __init__(self, *, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        """The object names of its parts begin with `name`."""
        super().__init__(parent)
        self.setObjectName(f"{name}_message_bar")
        self._theme = theme
        self._formats: Container[Format] = ()
        self._envelope_text = ""
        self._build(name)
        self._wire()
        self._apply_theme()

    def _build(self, name: str) -> None:
        self.method = MethodBox(theme=self._theme, name=f"{name}_method", parent=self)
        self._envelope = QCheckBox(self)
        self._envelope.setObjectName(f"{name}_envelope")
        self._envelope.setToolTip(
            "Adds what the revision prescribes for every message: jsonrpc, and members of _meta"
        )
        self._new_id = QCheckBox("New id", self)
        self._new_id.setObjectName(f"{name}_new_id")
        self._new_id.setToolTip(
            "Gives the message an id that was not used before, and its progress token too.\n"
            "Without it, the id in the text is sent."
        )
        self._new_id.setChecked(True)
        self._original = link_button("Original", name=f"{name}_original", parent=self)
        self._copy = link_button("Copy as…", name=f"{name}_copy_as", parent=self)
        self._left = QWidget(self)
        self._flow = FlowLayout(self._theme.px(12), self._left)
        for part in (self.method, self._envelope, self._new_id):
            self._flow.addWidget(part)
        self._row = row_layout(self, space=0)
        self._row.addWidget(self._left, 1)
        for link in (self._original, self._copy):
            self._row.addWidget(link, 0, Qt.AlignmentFlag.AlignTop)

    def _wire(self) -> None:
        self._envelope.clicked.connect(self.envelope_toggled)
        self._new_id.toggled.connect(self.new_id_changed)
        self._original.clicked.connect(self.original_requested)
        self._copy.clicked.connect(self._open_menu)
        self._theme.changed.connect(self._apply_theme)

    @property
    def is_id_new(self) -> bool:
        """Whether every send gets a new id."""
        return self._new_id.isChecked()

    def keep_id(self) -> None:
        """Send the id that is in the text."""
        self._new_id.setChecked(False)

    def show_message(self, method: str, *, has_id: bool, has_envelope: bool) -> None:
        """Show what is in the text."""
        self.method.set_method(method)
        self._new_id.setEnabled(has_id)
        self._envelope.setChecked(has_envelope)

    def show_revision(self, revision: Revision | None) -> None:
        """Show which revision prescribes the envelope; None before one is agreed on."""
        of = f" of {revision.date}" if revision is not None else ""
        self._envelope_text = f"Envelope and _meta{of}"
        self._envelope.setAccessibleName(self._envelope_text)
        self._envelope.setEnabled(revision is not None)
        self._fit()

    def show_original(self, number: int) -> None:
        """Show the number of the original message; 0 for none."""
        text = f"Original #{number}"
        self._original.setText(text)
        self._original.setAccessibleName(text)
        self._original.setVisible(number > 0)

    def offer_copies(self, formats: Container[Format]) -> None:
        """Offer the message in these formats."""
        self._formats = formats

    def _fit(self) -> None:
        """Shorten what does not fit."""
        is_wide = self.width() >= self._theme.px(WIDE)
        text = self._envelope_text if is_wide else "Envelope"
        if text != self._envelope.text():
            self._envelope.setText(text)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Texts may be longer or shorter."""
        super().resizeEvent(event)
        self._fit()

    def _open_menu(self) -> None:
        self.copies_requested.emit()
        menu = QMenu(self)
        menu.setObjectName("repeat_copy_menu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for format_, text in COPIES:
            entry = menu.addAction(text, partial(self.copy_requested.emit, format_))
            entry.setEnabled(format_ in self._formats)
        menu.popup(self._copy.mapToGlobal(QPoint(0, self._copy.height())))

    def _apply_theme(self) -> None:
        theme = self._theme
        side = theme.px(tokens.DENSE_PADDING_PX)
        self.setMinimumHeight(theme.px(HEIGHT))
        self._copy.setIcon(theme.icon(Sign.DOWN, "accent"))
        self._copy.setIconSize(QSize(theme.ICON, theme.ICON))
        self._flow.setSpacing(side)
        edge = (theme.px(HEIGHT) - theme.px(tokens.FIELD)) // 2
        self._row.setContentsMargins(side, edge, side, edge)
        self._row.setSpacing(theme.px(16))
