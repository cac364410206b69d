"""The look that widgets under test are dressed in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ui.theme import Theme

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QApplication


@pytest.fixture
def theme(qapp: QApplication) -> Iterator[Theme]:
    """Light, at 100%, whatever the system wants."""
    theme = Theme()
    theme.apply(qapp, "light", 1.0)
    yield theme
    theme.deleteLater()
