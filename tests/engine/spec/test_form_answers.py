"""What we say into a form of the server is judged like everything else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.spec.revision import FOURTH, THIRD, Revision
from inspector.wire.frame import Direction
from inspector.wire.message import Kind
from tests.engine.spec.judging import found, said

if TYPE_CHECKING:
    from inspector.wire.jsontext import Json


@pytest.mark.parametrize(
    ("value", "revision", "fits"),
    [
        ("x", THIRD, True),
        (1, THIRD, True),
        (1.5, FOURTH, True),
        (False, FOURTH, True),
        (["a", "b"], FOURTH, True),
        (["a", "b"], THIRD, False),
        ([], THIRD, False),
        ([1], FOURTH, False),
        ({"b": 1}, FOURTH, False),
    ],
)
def test_values_of_a_form_are_of_a_few_kinds(value: Json, revision: Revision, fits: bool) -> None:
    """C-ELI-27."""
    message: Json = {
        "jsonrpc": "2.0",
        "id": 1,
        "result": {"action": "accept", "content": {"a": value}},
    }

    judged = found(
        message,
        Kind.RESPONSE,
        revision,
        method="elicitation/create",
        direction=Direction.SENT,
    )
    assert [place.startswith("/result/content/a") for _, place in said(judged)] == [True] * (
        not fits
    )
