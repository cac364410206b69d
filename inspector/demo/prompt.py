"""What a prompt is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import field

from inspector.demo.revision_filter import ENTRY_FIELDS, fitted
from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from inspector.demo.embedded_inputs import Asked
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json, JsonObject


class Prompt(FrozenStruct, frozen=True):
    """One prompt as it is listed, and how to fill it in."""

    name: str
    """What it is asked for by."""
    title: str
    """What it is shown as."""
    summary: str
    """Its description."""
    fill: Callable[[dict[str, str]], list[Json]]
    """The messages for these arguments; absent ones are empty."""
    arguments: tuple[JsonObject, ...] = ()
    """What it asks for."""
    icons: tuple[JsonObject, ...] = ()
    """Its icons."""
    questions: Mapping[str, Asked] = field(default_factory=dict[str, "Asked"])
    """What the user is asked before it is filled in, by key: the answers join the arguments, as text."""

    def is_known(self, revision: Revision) -> bool:
        """Whether a revision has what it takes; it is not listed otherwise."""
        return not self.questions or revision.has_input_required

    def entry(self, revision: Revision) -> JsonObject:
        """How `prompts/list` shows it."""
        entry: JsonObject = {"name": self.name, "title": self.title, "description": self.summary}
        if self.arguments:
            entry["arguments"] = [fitted(each, ENTRY_FIELDS, revision) for each in self.arguments]
        if self.icons:
            entry["icons"] = [*self.icons]
        return fitted(entry, ENTRY_FIELDS, revision)


def says(role: str, block: JsonObject) -> JsonObject:
    """One message of a prompt."""
    return {"role": role, "content": block}


def argument(name: str, title: str, text: str, *, required: bool = False) -> JsonObject:
    """One argument of a prompt."""
    return {"name": name, "title": title, "description": text, "required": required}
