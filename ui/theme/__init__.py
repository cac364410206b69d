"""Looks, by name: `tokens` holds the values, `theme.Theme` applies them and hands them out."""

from __future__ import annotations

from ui.theme.theme import STYLE, Mode, Theme

__all__ = ["STYLE", "Mode", "Theme"]
