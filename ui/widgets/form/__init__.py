"""A form built from a JSON Schema, over one exact JSON value.

`form.Form` is the widget. Without Qt: `reader` makes fields (`schema`) of a JSON Schema with the help of `facts` and
`classify`; `declared` follows what conditions declare and require; `start` begins values, `fit` says which field or arm can show one, `document` holds the one value behind both
views. The engine's `inspector.schema` resolves schemas, edits values and validates them. With Qt: a `row` labels a `slot`, a slot shows an `editor`, and
`editors` lists which editor each kind of field gets.
"""

from __future__ import annotations

from inspector.schema.validate import FieldProblem
from ui.widgets.form.form import Form

__all__ = ["FieldProblem", "Form"]
