"""The text of a tool tip."""

from __future__ import annotations

from ui.widgets.tool_tip import tool_tip


def test_a_tool_tip_never_has_markup_of_the_server() -> None:
    """result-27-markup-in-text."""
    tip = tool_tip('<img src=x onerror="PWN">&\u202e')

    assert "<img" not in tip
    assert "&lt;img src=x onerror=&quot;PWN&quot;&gt;&amp;⟨U+202E⟩" in tip
    assert tool_tip("") == ""
