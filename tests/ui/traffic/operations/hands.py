"""What tests look at in the mode with operations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.traffic.operations.columns import position

if TYPE_CHECKING:
    from ui.traffic.operations.mode import OperationsMode
    from ui.traffic.panel import TrafficPanel


def mode(panel: TrafficPanel) -> OperationsMode:
    assert panel.modes.operations is not None
    return panel.modes.operations


def column(panel: TrafficPanel, key: str) -> list[str]:
    model = mode(panel).model
    at = position(key)
    return [str(model.index(row, at).data()) for row in range(model.rowCount())]


def names(panel: TrafficPanel) -> list[str]:
    return column(panel, "operation")
