"""Well-known mistakes are recognized in time that follows the length of the text; ours."""

from __future__ import annotations

import time

import pytest

from inspector.session import shapes

READERS = (
    *(shapes.framing, shapes.misencoded, shapes.ending, shapes.broken, shapes.obstacle),
    *(shapes.on_stderr, shapes.as_source, shapes.prompt, shapes.end),
)


@pytest.mark.parametrize("piece", ["\n", "\t\n", "token ", "missing ", '"secret":', " ", "a.", "x"])
def test_the_time_to_recognize_a_mistake_follows_the_length_of_the_text(piece: str) -> None:
    """Ours: white space was skipped again from each line, and a key was looked for again behind each of its names."""
    text = piece * (50_000 // len(piece)) + "."
    before = time.thread_time()

    for reader in READERS:
        reader(text)

    assert time.thread_time() - before < 1


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("\n\n  usage: x", "usage"),
        ("the token a of tokens is\tmissing", "variable-missing"),
        ("starting\nplease set your fine api_key", "variable-missing"),
    ],
)
def test_a_mistake_is_recognized_in_any_line(text: str, name: str) -> None:
    found = shapes.end(text)

    assert found is not None
    assert found.name == name
