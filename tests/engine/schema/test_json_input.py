"""JSON as a user writes it; ours."""

from __future__ import annotations

import pytest

from inspector.schema.json_input import json_problem


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no JSON"),
        (" \n", "no JSON"),
        ('{"a":}', "at character 6"),
        ('{\n"a":,}', "at line 2, column 5"),
    ],
)
def test_what_is_wrong_with_a_text_is_said_with_its_place(text: str, message: str) -> None:
    """Ours."""
    assert message in json_problem(text)
