"""Handles of a server's state are hidden in the text of messages, wherever they stand."""

from __future__ import annotations

import pytest

from inspector.wire.handles import mask_handles, mask_task_name
from inspector.wire.secrecy import MASK


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('{"requestState": "a\\"b", "x": 1}', f'{{"requestState": "{MASK}", "x": 1}}'),
        ('{"taskId":"t","taskId" : "u"}', f'{{"taskId":"{MASK}","taskId" : "{MASK}"}}'),
        ('{"taskIds":["a","]b\\"c"],"n":["d"]}', f'{{"taskIds":["{MASK}","{MASK}"],"n":["d"]}}'),
        ('{"requestState":"cut o', f'{{"requestState":"{MASK}"'),
        ('{"taskId":"","requestState":null,"taskIds":[]}', None),
        ('{"a":"taskId","b":["requestState"]}', None),
        ("no JSON with a taskId", None),
    ],
)
def test_handles_are_hidden_by_their_names(text: str, shown: str | None) -> None:
    """C-SEC-14: an empty text is none; everything else stays as it is, JSON or not."""
    assert mask_handles(text.encode()).decode() == (text if shown is None else shown)


def test_the_header_that_repeats_the_id_of_a_task_is_hidden_as_well() -> None:
    """C-SEC-14: that header of other requests is a name."""
    head = b"POST /mcp HTTP/1.1\r\nmcp-name: t-1\r\nMcp-Method: tasks/get\r\nX: t-1"
    other = head.replace(b"tasks/get", b"tools/call")

    assert mask_task_name(head) == head.replace(b"name: t-1", b"name: " + MASK.encode())
    assert mask_task_name(other) == other
