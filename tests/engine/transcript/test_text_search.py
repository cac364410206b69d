"""Finding text in raw bytes, and patterns for names; ours throughout."""

from __future__ import annotations

import json
import re

from hypothesis import given
from hypothesis import strategies as st

from inspector.transcript.text_search import Glob, TextPattern

LETTERS = st.text("abAB*", max_size=8)
RAWS = st.lists(st.text("abAB \n", max_size=12).map(str.encode), max_size=8)


def pattern_of(text: str) -> str:
    return ".*".join(map(re.escape, text.split("*")))


@given(text=LETTERS, raws=RAWS)
def test_a_needle_finds_what_a_pattern_would(text: str, raws: list[bytes]) -> None:
    """Ours: searching many frames as one text gives what searching each would."""
    wanted = re.compile(pattern_of(text).encode(), re.IGNORECASE | re.DOTALL)

    needle = TextPattern(text.split("*"))

    assert needle.find_in(raws) == [at for at, raw in enumerate(raws) if wanted.search(raw)]
    assert needle.missing_in(raws) == [at for at, raw in enumerate(raws) if not wanted.search(raw)]


@given(text=LETTERS, name=st.text("abAB", max_size=10))
def test_a_glob_fits_what_a_pattern_would(text: str, name: str) -> None:
    """Ours."""
    wanted = re.compile(pattern_of(text), re.IGNORECASE | re.DOTALL)

    assert Glob(text.split("*")).matches(name) == bool(wanted.fullmatch(name))


@given(text=st.text(min_size=1, max_size=6).filter(str.isprintable))
def test_words_are_found_however_json_spells_them(text: str) -> None:
    """Ours: with every character escaped that can be, or none that need not be."""
    spellings = [json.dumps(text).encode(), json.dumps(text, ensure_ascii=False).encode()]

    assert TextPattern([text]).find_in(spellings) == [0, 1]
