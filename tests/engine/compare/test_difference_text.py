"""A difference as text; ours throughout."""

from __future__ import annotations

import asyncio
import json

from inspector.background_tasks import in_steps
from inspector.compare.difference_text import difference_text
from inspector.compare.json_difference import compare_json
from inspector.compare.json_rows import json_rows
from inspector.compare.paths import PathPattern

SAME = [{"key": "value " * 20} for _ in range(20)]


def test_a_difference_is_written_with_what_it_leaves_out() -> None:
    """Ours: signs for each line, folded lines and ignored paths counted."""
    old = {"same": SAME, "at": 1, "name": "a", "gone": True}
    new = {"same": SAME, "at": 2, "name": "b", "more": None}

    async def lines() -> list[str]:
        raws = [json.dumps(each).encode() for each in (old, new)]
        difference = await in_steps(compare_json(*raws))
        rows = await in_steps(json_rows(difference, [PathPattern(("at",))], ()))
        return [*difference_text(rows, "before", "after")]

    found = asyncio.run(lines())

    assert found[:3] == ["--- before", "+++ after", "# 1 changed, 1 added, 1 removed"]
    assert "# ignored: at (1)" in found
    assert any(line.strip().startswith("…") and "equal lines" in line for line in found)
    signs = {line.strip().rstrip(","): line[0] for line in found}
    assert [text for text, sign in signs.items() if sign == "-" and '"name"' in text]
    assert [text for text, sign in signs.items() if sign == "+" and '"more"' in text]
    assert not [line for line in found[4:] if line[0] in "+-~" and '"at"' in line]
