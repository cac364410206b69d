"""A list of distinct choices: boxes to tick."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QCheckBox, QLabel

from inspector.schema.json_edit import MISSING, exact
from ui.widgets.form.editor import Editor, column_layout
from ui.widgets.tool_tip import tool_tip

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inspector.schema.json_edit import Held
    from inspector.wire.jsontext import Json
    from ui.widgets.form.place import Place
    from ui.widgets.form.schema import Field


class PicksField(Editor):
    """Edits a list as a set of ticks, sent in the order the schema lists them."""

    def __init__(self, field: Field, place: Place, parent: QWidget | None = None) -> None:
        super().__init__(field, place, parent)
        self._build()

    def rename(self) -> None:
        """Name the boxes after the place."""
        for at, box in enumerate(self._boxes):
            box.setObjectName(f"pick:{self._place.pointer}/{at}")
            box.setAccessibleName(f"{self._place.spoken}: {self._field.choices[at].label}")

    def _build(self) -> None:
        space = self._place.site.theme.SPACE
        layout = column_layout(self, space=space // 2)
        layout.setContentsMargins(0, space, 0, space)
        self._boxes = [QCheckBox(_unmarked(choice.label), self) for choice in self._field.choices]
        for box, choice in zip(self._boxes, self._field.choices, strict=True):
            box.setToolTip(tool_tip(f"sends {exact(choice.value)}"))
            box.clicked.connect(self._on_clicked)
            layout.addWidget(box)
        self._state = QLabel(self)
        self._state.setProperty("look", "muted")
        layout.addWidget(self._state)
        self.setFocusProxy(self._boxes[0])
        self.rename()

    def _display(self, value: Held) -> None:
        ticked = {exact(item) for item in value} if isinstance(value, list) else set[str]()
        for box, choice in zip(self._boxes, self._field.choices, strict=True):
            box.setChecked(exact(choice.value) in ticked)
        self._state.setText("empty list" if value == [] else self._state_words(value))
        self._state.setVisible(bool(self._state.text()))

    def _on_clicked(self) -> None:
        ticked: list[Json] = [
            choice.value
            for box, choice in zip(self._boxes, self._field.choices, strict=True)
            if box.isChecked()
        ]
        optional = not self._place.required and not self._place.is_added
        value: Held = MISSING if optional and not ticked else ticked
        self._edit(value)
        self._display(value)


def _unmarked(label: str) -> str:
    """A label whose `&` is no shortcut."""
    return label.replace("&", "&&")
