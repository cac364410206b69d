"""The texts of the limits and annotations of a schema: what the hint under a field says, and what tells alternatives apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.schema.compile_schema import is_readable
from inspector.schema.json_edit import exact, is_number
from inspector.visible_text import one_line
from inspector.wire.json_codec import is_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from inspector.wire.json_codec import Json, JsonObject

MAX_TEXT = 160
"""Characters of a pattern or of examples."""


def format_text(shape: JsonObject) -> str:
    """The format of a string; empty without one."""
    declared = shape.get("format")
    return one_line(declared, 40) if is_text(declared) else ""


def facts(shape: JsonObject) -> tuple[str, ...]:
    """The texts of all limits and annotations, in the order of `RULES`."""
    return tuple(text for rule in RULES for text in rule(shape))


def _number(shape: JsonObject, keyword: str) -> str | None:
    value = shape.get(keyword)
    return exact(value) if is_number(value) else None


def _between(
    low: str, high: str, *, unit: str = "", units: str = ""
) -> Callable[[JsonObject], Iterator[str]]:
    def texts(shape: JsonObject) -> Iterator[str]:
        lower, upper = _number(shape, low), _number(shape, high)
        noun = f" {unit if (upper or lower) == '1' else units}" if unit else ""
        if lower is not None and upper is not None:
            yield f"{lower}{noun}" if lower == upper else f"{lower}–{upper}{noun}"
        elif lower is not None:
            yield f"at least {lower}{noun}"
        elif upper is not None:
            yield f"at most {upper}{noun}"

    return texts


def _parts(shape: JsonObject) -> Iterator[JsonObject]:
    """A shape, and the `allOf` that could not be merged with it."""
    yield shape
    more = shape.get("allOf")
    yield from (part for part in (more if isinstance(more, list) else ()) if isinstance(part, dict))


def _exclusive(shape: JsonObject) -> Iterator[str]:
    if (low := _number(shape, "exclusiveMinimum")) is not None:
        yield f"greater than {low}"
    if (high := _number(shape, "exclusiveMaximum")) is not None:
        yield f"less than {high}"


def _step(shape: JsonObject) -> Iterator[str]:
    for part in _parts(shape):
        if (step := _number(part, "multipleOf")) is not None:
            yield f"multiple of {step}"


def _format_of_number(shape: JsonObject) -> Iterator[str]:
    if is_text(shape.get("format")) and shape.get("type") != "string":
        yield f"format {format_text(shape)}"


def _pattern(shape: JsonObject) -> Iterator[str]:
    for pattern in (part.get("pattern") for part in _parts(shape)):
        if not is_text(pattern):
            continue
        text = one_line(pattern, MAX_TEXT)
        is_valid = is_readable(pattern)
        yield f"matches {text}" if is_valid else f"pattern not validated: cannot read {text}"


def _key_patterns(shape: JsonObject) -> Iterator[str]:
    """The patterns that keys must match, and those that select the schema of a key and cannot be read."""
    names = shape.get("propertyNames")
    pattern = names.get("pattern") if isinstance(names, dict) else None
    if is_text(pattern):
        text = one_line(pattern, MAX_TEXT)
        is_valid = is_readable(pattern)
        yield f"keys match {text}" if is_valid else f"keys not validated: cannot read {text}"
    selecting = shape.get("patternProperties")
    for pattern in selecting if isinstance(selecting, dict) else ():
        if not is_readable(pattern):
            text = one_line(pattern, MAX_TEXT)
            yield f"keys that match {text} not validated: cannot read the pattern"


def _unique(shape: JsonObject) -> Iterator[str]:
    if shape.get("uniqueItems") is True:
        yield "unique items"


def _examples(shape: JsonObject) -> Iterator[str]:
    examples = shape.get("examples")
    if isinstance(examples, list) and examples:
        texts = [_plain(example) for example in examples[:5]]
        twins = {text for text in texts if texts.count(text) > 1}
        listed = ", ".join(
            exact(example) if text in twins else text
            for text, example in zip(texts, examples[:5], strict=True)
        )
        yield f"e.g. {one_line(listed, MAX_TEXT)}"


def _plain(value: Json) -> str:
    return value if is_text(value) else exact(value)


def _media(shape: JsonObject) -> Iterator[str]:
    for keyword in ("contentMediaType", "contentEncoding"):
        if is_text(value := shape.get(keyword)):
            yield one_line(value, 60)


def _marks(shape: JsonObject) -> Iterator[str]:
    for keyword, text in (
        ("deprecated", "deprecated"),
        ("readOnly", "read-only"),
        ("writeOnly", "write-only"),
    ):
        if shape.get(keyword) is True:
            yield text


RULES: tuple[Callable[[JsonObject], Iterator[str]], ...] = (
    _between("minimum", "maximum"),
    _exclusive,
    _step,
    _format_of_number,
    _between("minLength", "maxLength", unit="character", units="characters"),
    _pattern,
    _media,
    _between("minItems", "maxItems", unit="item", units="items"),
    _unique,
    _key_patterns,
    _between("minProperties", "maxProperties", unit="key", units="keys"),
    _examples,
    _marks,
)
"""The rules that give the texts, in order."""
