"""What the definitions of tools cost a model: counted with the extra, estimated without it, and the finding says which."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from inspector.checks.tokens import Tokens, estimate_tokens, sum_of

if TYPE_CHECKING:
    from pathlib import Path

COUNTING = """
import json, sys
from inspector.checks.tokens import definition_tokens
tools = json.load(sys.stdin)
print(json.dumps([definition_tokens(tool) for tool in tools]))
"""

PLAIN = {"name": "add", "description": "Adds two numbers.", "inputSchema": {"type": "object"}}
LONG_WORD = {"name": "add", "description": "a" * 5_000, "inputSchema": {"type": "object"}}


def _counted(tools: list[object], **environment: str) -> list[list[object]]:
    done = subprocess.run(
        [sys.executable, "-c", COUNTING],
        input=json.dumps(tools),
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return json.loads(done.stdout)


def test_definitions_are_counted_as_models_do_with_the_extra(tokens_python: Path) -> None:
    """Ours: the numbers are those of o200k; a word that would take long is estimated."""
    folder = next((tokens_python.parent.parent / "lib").glob("python*/site-packages"))

    plain, long_word = _counted([PLAIN, LONG_WORD], PYTHONPATH=str(folder))

    assert plain == [13, True]
    assert long_word == [estimate_tokens(5_000 + 2 + 5 + len('{"type":"object"}')), False]


def test_definitions_are_estimated_without_the_extra() -> None:
    """Ours."""
    ((count, is_exact),) = _counted([PLAIN])

    assert is_exact is False
    assert count == pytest.approx(10, abs=1)


def test_a_sum_with_an_estimate_is_an_estimate_and_says_so() -> None:
    """Ours."""
    exact, estimate = Tokens(1_000, is_exact=True), Tokens(500, is_exact=False)

    assert str(sum_of([exact, exact])) == "2,000 tokens (o200k)"
    assert str(sum_of([exact, estimate])) == "about 1,500 tokens"
