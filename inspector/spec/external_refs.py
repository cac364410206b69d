"""References of a schema to what is not in it. They are never loaded, so what they describe is not judged; this says where they stand.

Pure. A reference is one of the document when it is a fragment alone, or names an `$id` of a schema inside; the schemas of the dialects
are known to every validator.

Source: basic, "$ref Resolution"; JSON Schema 2020-12 core, sections 8.2 and 9.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urldefrag, urljoin

from inspector.spec.subschemas import subschemas

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json

KEYWORDS = ("$ref", "$dynamicRef")

LONGEST = 120
"""Characters of an address that are shown."""

_DIALECTS = ("http://json-schema.org/", "https://json-schema.org/")
_IDS = ("$id", "id")


class Reference(NamedTuple):
    """A reference to another document."""

    steps: tuple[str | int, ...]
    """Where it stands in the schema, its keyword included."""
    address: str
    """What it says."""

    @property
    def text(self) -> str:
        """What there is to say about it."""
        said = self.address
        short = said if len(said) <= LONGEST else f"{said[:LONGEST]}…"
        return f"external $ref not loaded, not validated: {short!r}"


def external_refs(schema: Json) -> tuple[Reference, ...]:
    """Every reference of `schema` that leads out of it, in order."""
    if not _has_any(schema):
        return ()
    found: list[tuple[Reference, str]] = []
    bases: dict[tuple[str | int, ...], str] = {}
    for pointer in subschemas(schema):
        own = next((name for key in _IDS if isinstance(name := pointer.schema.get(key), str)), "")
        if own:
            bases[pointer.steps] = _joined(_base(bases, pointer.steps), own)
        for keyword in KEYWORDS:
            said = pointer.schema.get(keyword)
            if isinstance(said, str) and not said.startswith("#"):
                target = _joined(_base(bases, pointer.steps), said)
                found.append((Reference((*pointer.steps, keyword), said), target))
    known = {"", *bases.values()}
    return tuple(
        each for each, to in found if to not in known and not each.address.startswith(_DIALECTS)
    )


def _has_any(schema: Json) -> bool:
    """Whether any reference out of it may be there: most schemas have none, and this is quick."""
    waiting: list[Json] = [schema]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            for keyword in KEYWORDS:
                if keyword in item and not str(item[keyword]).startswith("#"):
                    return True
            waiting += [inner for inner in item.values() if isinstance(inner, dict | list)]
        elif isinstance(item, list):
            waiting += [inner for inner in item if isinstance(inner, dict | list)]
    return False


def _base(bases: dict[tuple[str | int, ...], str], steps: tuple[str | int, ...]) -> str:
    """The address that a reference at `steps` begins from: that of the schema around it."""
    if not bases:
        return ""
    return next(
        (bases[steps[:end]] for end in range(len(steps), -1, -1) if steps[:end] in bases), ""
    )


def _joined(base: str, said: str) -> str:
    """The whole address without its fragment; what is none stays as it is."""
    try:
        return urldefrag(urljoin(base, said))[0]
    except ValueError:
        return said
