"""From the suggestions of a server to the fields that offer them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.errors import InspectorError
from ui.widgets.argument_fields import Suggest, Suggestions

if TYPE_CHECKING:
    from inspector.features.completion import Completions
    from inspector.spec.views.completion import Completion
    from inspector.wire.json_codec import JsonObject

NOT_OFFERED = "no suggestions"
"""For an argument that the server refused to complete."""


def suggesting(completions: Completions, ref: JsonObject) -> Suggest:
    """Suggestions for the arguments of what `ref` refers to."""

    async def suggest(name: str, text: str, others: dict[str, str]) -> Suggestions:
        try:
            found = (await completions.complete(ref, name, text, others)).completion
        except InspectorError:
            if completions.declines(ref, name):
                return Suggestions((), note=NOT_OFFERED)
            raise
        return Suggestions(found.offered, count_text(found))

    return suggest


def count_text(found: Completion) -> str:
    """How many suggestions there are besides those that are shown; empty if these are all."""
    if not found.more:
        return ""
    if found.total is not None and found.total > len(found.offered):
        return f"{len(found.offered):,} of {found.total:,}"
    return f"{len(found.offered):,} of more"


def absence_text(completions: Completions) -> str:
    """Return why no suggestions are requested while the user types; empty if they are."""
    if completions.is_enabled:
        return ""
    if completions.refused:
        return "Completion rejected by the server"
    return "Completion not declared by the server"
