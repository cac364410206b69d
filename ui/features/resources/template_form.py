"""The variables of a URI template as fields, and the URI that they expand to, exactly as it is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from inspector.spec.uri_template import UriTemplate, ValueType, Variable, read_value
from ui.widgets.argument_fields import Argument, ArgumentFields, Suggest
from ui.widgets.buttons import tool_button
from ui.widgets.clipboard import copy_text
from ui.widgets.code_text import CodeText
from ui.widgets.labels import plain_label
from ui.widgets.layout_parts import column_layout
from ui.widgets.links import LinkLine

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ui.theme import Theme


class TemplateForm(QWidget):
    """Fields and the expanded URI.

    Signals:
        changed: the URI changed.
        submitted: Ctrl+Enter was pressed.
    """

    changed = Signal()
    submitted = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start without a template."""
        super().__init__(parent)
        self.setObjectName("template_form")
        self._theme = theme
        self._template = UriTemplate("")
        self._build()
        self._wire()

    def _build(self) -> None:
        theme = self._theme
        self.fields = ArgumentFields(theme=theme, name="template_fields", parent=self)
        self.note = LinkLine("Send anyway", theme=theme, name="template_suggest", parent=self)
        self._caption = plain_label("Expanded URI", tone="muted", parent=self)
        self._uri = CodeText(theme=theme, name="expanded_uri", parent=self)
        self._copy = tool_button(
            theme, "mdi6.content-copy", "Copy URI", name="copy_expanded_uri", parent=self
        )
        row = QHBoxLayout()
        row.setSpacing(theme.SPACING_PX)
        row.addWidget(self._uri, 1)
        row.addWidget(self._copy, 0, Qt.AlignmentFlag.AlignTop)
        column_layout(self, self.fields, self.note, self._caption, row, space=theme.SPACING_PX)

    def _wire(self) -> None:
        self.fields.changed.connect(self._on_fields_changed)
        self.fields.submitted.connect(self.submitted)
        self._copy.clicked.connect(self._on_copy_clicked)

    def set_template(self, template: UriTemplate) -> None:
        """Show the variables of `template`, all of them unset."""
        self._template = template
        self.fields.set_arguments([_argument(variable) for variable in template.variables])
        self._refresh()

    def set_suggest(self, suggest: Suggest | None, absent: str = "") -> None:
        """Suggest values, or say why there are no suggestions."""
        self.fields.set_suggest(suggest)
        self.note.set_text(absent)

    def texts(self) -> dict[str, str]:
        """Return the values of the variables that are set."""
        return self.fields.values()

    def set_texts(self, texts: Mapping[str, str]) -> None:
        """Set the values of variables."""
        self.fields.set_values(texts)

    def uri(self) -> str:
        """Return the expanded URI."""
        shapes = self.fields.shapes()
        values = {
            name: read_value(text, ValueType(shapes.get(name, ValueType.TEXT)))
            for name, text in self.fields.values().items()
        }
        return self._template.expand(values)

    def _refresh(self) -> None:
        self._uri.set_code(self.uri(), accessible_name="Expanded URI")

    def _on_fields_changed(self) -> None:
        self._refresh()
        self.changed.emit()

    def _on_copy_clicked(self) -> None:
        copy_text(self.uri())


def _argument(variable: Variable) -> Argument:
    text = f"first {variable.prefix:,} characters" if variable.prefix else ""
    return Argument(variable.name, text=text, shapes=_shapes(variable))


def _shapes(variable: Variable) -> tuple[str, ...]:
    """Return the shapes to select from; a plain variable is text: lists are rare there."""
    if variable.exploded:
        return str(ValueType.LIST), str(ValueType.TEXT), str(ValueType.PAIRS)
    return tuple(str(shape) for shape in ValueType) if variable.operator else ()
