"""Suggested names stay inside the chosen folder."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.widgets.save import suggested_name


@pytest.mark.parametrize(
    ("wanted", "name"),
    [
        ("../../x", "x.txt"),
        ("file:///../../etc/passwd", "passwd.txt"),
        ("demo://CON", "result.txt"),
        ("CON", "_CON.txt"),
        ("a/b:c*?.txt\u202etxt.exe", "b_c__.txt_txt.exe"),
        ("c:\\windows\\x.dll", "x.dll"),
        ("https://h/a%2Fb%20c.png?q=1", "b c.png"),
        ("", "result.txt"),
        ("...", "result.txt"),
    ],
)
def test_a_name_from_a_server_is_cleaned(wanted: str, name: str) -> None:
    """text-04-names-as-paths."""
    assert suggested_name(wanted, mime="text/plain; charset=utf-8") == name


@given(st.text(max_size=300))
def test_no_name_ever_has_a_folder(wanted: str) -> None:
    """text-04-names-as-paths."""
    name = suggested_name(wanted, mime="image/png")

    assert name
    assert not set(name) & set('/\\:*?"<>|\0')
    assert name.strip(".") != ""
    assert len(name) <= 110
