"""What we say into a form of the server is judged like everything else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.spec.revision import V2025_06_18, V2025_11_25, Revision
from inspector.wire.frame import Direction
from inspector.wire.message import MessageKind
from tests.engine.spec.judging import found, said

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json


@pytest.mark.parametrize(
    ("value", "revision", "fits"),
    [
        ("x", V2025_06_18, True),
        (1, V2025_06_18, True),
        (1.5, V2025_11_25, True),
        (False, V2025_11_25, True),
        (["a", "b"], V2025_11_25, True),
        (["a", "b"], V2025_06_18, False),
        ([], V2025_06_18, False),
        ([1], V2025_11_25, False),
        ({"b": 1}, V2025_11_25, False),
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
        MessageKind.RESPONSE,
        revision,
        method="elicitation/create",
        direction=Direction.SENT,
    )
    assert [place.startswith("/result/content/a") for _, place in said(judged)] == [True] * (
        not fits
    )
