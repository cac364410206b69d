"""What an assistive technology finds in a window: its parts as Qt hands them on, each with name, role, state and text."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QScrollArea, QWidget

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtCore import QObject

Text = QAccessible.Text
Role = QAccessible.Role

MAX_CELLS = 40
"""Cells of a list, table or tree that are walked through; the others are made in the same way."""

OF_ROWS = {Role.List, Role.Table, Role.Tree}

NAMED_SHORTLY = {Role.EditableText}
MAX_NAME = 60
"""Characters of what a field is called; what can be typed there is its description."""

VAGUE = {Role.NoRole, Role.Client, Role.Pane, Role.Window, Role.Border, Role.Grouping}
"""Roles that say nothing of what can be done."""


class Spoken(NamedTuple):
    """One part, as it is read out."""

    way: str
    """Object names from the window down."""
    role: Role
    name: str
    description: str
    value: str
    is_focusable: bool
    is_focused: bool
    scrolls: bool
    """Whether the keyboard is for scrolling only; Qt has no role for that."""


def spoken(interface: QAccessibleInterface, above: str = "") -> Spoken:
    """Read one part; `above` is the way to what it is in."""
    item, state = interface.object(), interface.state()
    return Spoken(
        way=f"{above}/{_name_of(item)}".strip("/"),
        role=interface.role(),
        name=interface.text(Text.Name),
        description=interface.text(Text.Description),
        value=interface.text(Text.Value),
        is_focusable=bool(state.focusable) and not has_proxy(item),
        is_focused=bool(state.focused),
        scrolls=isinstance(item, QScrollArea),
    )


def has_proxy(item: object) -> bool:
    """Whether another widget takes the focus in place of this one."""
    return isinstance(item, QWidget) and item.focusProxy() is not None


def _name_of(item: QObject | None) -> str:
    """Of the widget behind a part; a cell has none."""
    return (item.objectName() or type(item).__name__) if item is not None else ""


def interface_of(widget: QWidget) -> QAccessibleInterface:
    """What Qt hands on of a widget."""
    interface = QAccessible.queryAccessibleInterface(widget)
    assert interface is not None, widget
    return interface


def read_out(widget: QWidget) -> Iterator[Spoken]:
    """Every part of `widget` that is not hidden, itself first."""
    rest = [(interface_of(widget), "")]
    while rest:
        interface, above = rest.pop()
        if interface.state().invisible:
            continue
        part = spoken(interface, above)
        yield part
        count = interface.childCount()
        limit = MAX_CELLS if part.role in OF_ROWS else count
        inside = [interface.child(at) for at in range(min(count, limit))]
        rest += [(each, part.way) for each in reversed(inside) if each.isValid()]


def faults(part: Spoken) -> Iterator[str]:
    """What is missing for those who hear it."""
    if part.is_focusable and not part.name.strip() and part.role is not Role.Cell:
        yield f"{part.way} ({part.role.name}) has no name"
    if part.is_focusable and part.role in VAGUE and not part.scrolls:
        yield f"{part.way} has the role {part.role.name}"
    if "</" in part.description:
        yield f"{part.way} is described with markup: {part.description}"
    if part.role in NAMED_SHORTLY and len(part.name) > MAX_NAME:
        yield f"{part.way} has a name of {len(part.name)} characters"
