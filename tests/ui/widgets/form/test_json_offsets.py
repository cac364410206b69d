"""From a pointer to the place in the text, for those who edit JSON."""

from __future__ import annotations

import pytest

from inspector.spec.pointer import parts
from ui.widgets.form.json_offsets import span_of

TEXT = '{"a": {"b": [1, {"c": "x,}]"}, true]}, "a/b": null, "é\\"": -1.5e3}'


@pytest.mark.parametrize(
    ("pointer", "found"),
    [
        ("", TEXT),
        ("/a", '{"b": [1, {"c": "x,}]"}, true]}'),
        ("/a/b/0", "1"),
        ("/a/b/1", '{"c": "x,}]"}'),
        ("/a/b/1/c", '"x,}]"'),
        ("/a/b/2", "true"),
        ("/a~1b", "null"),
        ('/é"', "-1.5e3"),
        ("/a/missing", "{"),
        ("/a/b/9", "["),
        ("/nothing", "{"),
    ],
)
def test_a_pointer_leads_to_its_value_or_to_what_would_hold_it(pointer: str, found: str) -> None:
    """Ours."""
    start, end = span_of(TEXT, parts(pointer))

    assert TEXT[start:end] == found


def test_a_text_that_is_no_json_leads_somewhere() -> None:
    """Ours: it is not asked for such a text, and does not fail."""
    for text in ("", "}", '{"a":', "[1,,2]", ",", '"', "{]}"):
        start, end = span_of(text, ["a", "0"])
        assert 0 <= start <= end
