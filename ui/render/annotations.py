"""What a server says about a block: for whom it is, how much it matters, how old it is. Untrusted, shown as said.

Source: server/resources, "Annotations"; they may stand on the block or, in older examples, inside its resource.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct
from inspector.wire.json_codec import RawNumber

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json


class ContentAnnotations(FrozenStruct, frozen=True):
    """The readable part of `annotations`."""

    audience: tuple[str, ...] = ()
    """For whom: `user`, `assistant`, or whatever was said."""
    priority: str = ""
    """0 to 1, as spelled."""
    modified: str = ""
    """When it was last changed, as spelled."""

    def text(self) -> list[str]:
        """One text for each badge."""
        text = [f"for {name}" for name in self.audience[:4]]
        if self.priority:
            text.append(f"priority {self.priority}")
        if self.modified:
            text.append(f"modified {self.modified}")
        return text


def read_annotations(content: Json) -> ContentAnnotations:
    """The annotations of a content block; what cannot be read is left to the raw view."""
    found = _annotations(content)
    if not isinstance(found, dict):
        return ContentAnnotations()
    audience, priority, modified = (
        found.get(name) for name in ("audience", "priority", "lastModified")
    )
    names = audience if isinstance(audience, list) else []
    return ContentAnnotations(
        tuple(name for name in names if isinstance(name, str)),
        _number(priority),
        modified if isinstance(modified, str) else "",
    )


def _annotations(content: Json) -> Json:
    if not isinstance(content, dict):
        return None
    inner = content.get("resource")
    if "annotations" not in content and isinstance(inner, dict):
        return inner.get("annotations")
    return content.get("annotations")


def _number(value: Json) -> str:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return ""
    return value.text if isinstance(value, RawNumber) else str(value)
