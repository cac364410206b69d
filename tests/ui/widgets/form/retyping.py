"""Edits of a form through its widgets, and what has to be true of them: nothing is lost, invented or changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QAbstractButton, QCheckBox, QComboBox, QLineEdit, QWidget

from inspector.schema.json_edit import MISSING, exact, is_number
from inspector.wire.json_codec import is_text, read
from ui.widgets.form.choice_fields import OptionRow
from ui.widgets.form.line_fields import NumberField, TextField
from ui.widgets.form.row import Row, row_around
from ui.widgets.form.text_inputs import GrowingText

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.schema.json_edit import JsonOrMissing, Path
    from inspector.wire.json_codec import Json
    from ui.widgets.form import Form


def tidy() -> None:
    """Let go of the widgets that were replaced."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def value_of(form: Form) -> Json:
    """The value, of a text that is JSON."""
    return read(form.text().encode("utf-8", "surrogatepass")).value


def at(value: JsonOrMissing, path: Path) -> JsonOrMissing:
    """What stands at `path`, or `MISSING`."""
    for step in path:
        if isinstance(value, dict) and isinstance(step, str):
            value = value.get(step, MISSING)
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return MISSING
    return value


def path_of(widget: QWidget) -> Path:
    """The place in the value that a widget edits."""
    row = row_around(widget)
    return () if row is None else row.context.path


def live(form: Form, kind: type[QWidget]) -> Iterator[QWidget]:
    """Widgets of a kind that can be used now, in the order they were made."""
    view = form.findChild(QWidget, "fields")
    assert view is not None
    for widget in view.findChildren(kind):
        if widget.isEnabled() and not _is_hidden(widget, view):
            yield widget


def _is_hidden(widget: QWidget, view: QWidget) -> bool:
    inside: QWidget | None = widget
    while inside is not None and inside is not view:
        if inside.isHidden():
            return True
        inside = inside.parentWidget()
    return False


def retype_everything(form: Form) -> int:
    """Type and choose again what stands in every widget already; how many there are."""
    count = 0
    for line in list(live(form, QLineEdit)):
        assert isinstance(line, QLineEdit)
        # Erasing puts a value away, whatever empty box stands for null.
        if line.objectName().startswith("field:") and line.text():
            line.textEdited.emit(line.text())
            count += 1
    for box in list(live(form, GrowingText)):
        assert isinstance(box, GrowingText)
        if box.text():
            box.edited.emit(box.text())
            count += 1
    for combo in list(live(form, QComboBox)):
        assert isinstance(combo, QComboBox)
        # An alternative may be offered to be typed into before there is a value.
        if combo.currentIndex() >= 0 and at(value_of(form), path_of(combo)) is not MISSING:
            combo.activated.emit(combo.currentIndex())
            count += 1
    for options in list(live(form, OptionRow)):
        assert isinstance(options, OptionRow)
        for button in options.buttons():
            if button.isChecked():
                button.click()
                count += 1
    return count


def unlike(form: Form) -> list[str]:
    """Places where a widget shows something else than is sent."""
    value, found = value_of(form), list[str]()
    for row in live(form, Row):
        assert isinstance(row, Row)
        held = at(value, row.context.path)
        editor = None if row.slot is None else row.slot.editor
        if not isinstance(editor, TextField | NumberField):
            continue
        shown = editor.findChild(QWidget, f"field:{row.context.pointer}")
        text = shown.text() if isinstance(shown, QLineEdit | GrowingText) else None
        if text != _text(held):
            found.append(f"{row.context.pointer}: {text!r} for {held!r}")
    return found


def _text(held: JsonOrMissing) -> str:
    if is_text(held):
        return held
    return exact(held) if held is not MISSING and is_number(held) else ""


def changed_elsewhere(before: Json, after: Json, path: Path) -> str:
    """What is different outside of `path`, or of the container around it that was absent; empty if nothing is."""
    for length in range(len(path) + 1):
        if at(before, path[:length]) is MISSING:
            # An item that is put in makes its list longer, by those before it too.
            is_item = isinstance(path[length - 1], int)
            path = path[: length - 1] if is_item else path[:length]
            break
    one, other = exact_without(before, path), exact_without(after, path)
    return "" if one == other else f"{path}: {one} became {other}"


def exact_without(value: Json, path: Path) -> str:
    """The exact text of a value in which what is at `path` is left out."""
    return exact(_without(value, path))


def _without(value: Json, path: Path) -> Json:
    if not path:
        return "…"
    step, rest = path[0], path[1:]
    if isinstance(value, dict):
        if not rest:
            return {key: inner for key, inner in value.items() if key != step}
        return {
            key: _without(inner, rest) if key == step else inner for key, inner in value.items()
        }
    if isinstance(value, list) and isinstance(step, int):
        return [_without(inner, rest) if i == step else inner for i, inner in enumerate(value)]
    return value


class Edits:
    """The edits that can be made now, each found by a number that chance gives."""

    def __init__(self, form: Form) -> None:
        self._form = form

    def type_text(self, chance: int, text: str) -> Path | None:
        """Type into a field; the place, or None where there is no field."""
        lines = [w for w in live(self._form, QLineEdit) if w.objectName().startswith("field:")]
        boxes = list(live(self._form, GrowingText))
        found = [*lines, *boxes]
        if not found:
            return None
        widget = found[chance % len(found)]
        path = path_of(widget)
        if isinstance(widget, QLineEdit):
            widget.setText(text)
            widget.textEdited.emit(widget.text())
        elif isinstance(widget, GrowingText):
            widget.setPlainText(text)
        return path

    def choose(self, chance: int, index: int) -> Path | None:
        """Choose from a drop-down, a row of buttons or boxes to tick."""
        kinds = (QComboBox, OptionRow, QCheckBox)
        found = [widget for kind in kinds for widget in live(self._form, kind)]
        if not found:
            return None
        widget = found[chance % len(found)]
        path = path_of(widget)
        if isinstance(widget, QComboBox):
            widget.setCurrentIndex(index % widget.count())
            widget.activated.emit(widget.currentIndex())
        elif isinstance(widget, OptionRow):
            widget.buttons()[index % len(widget.buttons())].click()
        elif isinstance(widget, QCheckBox):
            widget.click()
        return path

    def press(self, chance: int) -> tuple[str, Path] | None:
        """Press a button that adds, puts in, takes out, collapses or shows otherwise."""
        names = ("add:", "put", "clear", "remove", "set null", "open", "as list")
        found = [w for w in live(self._form, QAbstractButton) if w.objectName().startswith(names)]
        if not found:
            return None
        widget = found[chance % len(found)]
        assert isinstance(widget, QAbstractButton)
        name, path = widget.objectName().partition(":")[0], path_of(widget)
        widget.click()
        return name, path
