"""Looks, by name: `tokens` holds the values, `theme.Theme` applies them and hands them out."""

from __future__ import annotations

from ui.theme.theme import Mode, Theme

__all__ = ["Mode", "Theme"]
