"""A form built from a JSON Schema, over one exact JSON value.

`form.Form` is the widget. Without Qt: `reader` makes fields (`schema`) of a JSON Schema with the help of `classify` and `unions`;
`initial_value` gives the values they start with, `document` has the one value behind both views. The engine's `inspector.schema` resolves
schemas, edits values and validates them. With Qt: a `row` labels a `slot`, a slot has an `editor`, and `kinds` has a row for each kind of
field: its editor, the values that it can show, and its first value.
"""

from __future__ import annotations

from inspector.schema.validate import FieldProblem
from ui.widgets.form.form import Form

__all__ = ["FieldProblem", "Form"]
