"""Tests that rules look at hostile texts in linear time."""

from __future__ import annotations

import time

import pytest

from inspector.checks.families.apps import MAX_HTML, external_origins
from inspector.checks.families.challenges import parameters

LIMIT_SECONDS = 0.2
"""Far above what a linear search takes on a busy machine, and below what these texts took."""


@pytest.mark.parametrize("html", ["<img src = ", "<script ", "<img " + "src " * 50])
def test_a_page_of_unfinished_tags_is_searched_at_once(html: str) -> None:
    """Ours."""
    start = time.process_time()
    assert external_origins((html * MAX_HTML)[:MAX_HTML]) == []
    assert time.process_time() - start < LIMIT_SECONDS


def test_what_a_tag_loads_is_found_behind_its_other_attributes() -> None:
    """Ours."""
    page = '<img alt="x" src="https://a.example/x.png"><a href="https://b.example">b</a>'
    assert external_origins(page) == ["https://a.example"]


def test_a_long_challenge_without_parameters_is_read_at_once() -> None:
    """Ours: fifty of them, since one took a tenth of a second."""
    start = time.process_time()
    for _ in range(50):
        assert parameters("a" * 4096) == {}
    assert time.process_time() - start < LIMIT_SECONDS
    assert parameters('Bearer error="x", scope=a') == {"error": "x", "scope": "a"}
