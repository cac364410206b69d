"""Cases of `checks.families.tools`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.rule_cases import Case

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.wire.json_codec import Json
    from tests.support.talk import Talk


def tool(**members: Json) -> Json:
    """A tool that breaks nothing, but for these members; None leaves one out."""
    whole: dict[str, Json] = {
        "name": "get_sum",
        "title": "Sum",
        "description": "Adds two numbers and returns the sum.",
        "inputSchema": {"type": "object", "properties": {}, "additionalProperties": False},
        **members,
    }
    return {key: value for key, value in whole.items() if value is not None}


def listed(*tools: Json) -> Callable[[Talk], object]:
    """A list of these tools."""

    def write(talk: Talk) -> None:
        talk.request(1, "tools/list")
        talk.result(1, tools=list(tools))

    return write


CASES = (
    Case("L-TOOL-06", listed(tool(description=None)), listed(tool()), name="none"),
    Case("L-TOOL-06", listed(tool(description=" ")), listed(tool()), name="empty"),
    Case(
        "L-TOOL-06",
        listed(tool(description="Get_Sum")),
        listed(tool(description="Get_Sum of a and b")),
        name="the name again",
    ),
)
