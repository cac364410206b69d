"""The limits of a schema in words, for the line under a field."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.schema.compile_schema import is_readable
from inspector.schema.json_edit import exact, is_number, is_text
from inspector.visible_text import one_line
from ui.widgets.form.schema import FieldKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from inspector.wire.json_codec import Json, JsonObject

MAX_WORDS = 160
"""Longer patterns and examples are cut."""


def type_words(kind: FieldKind, shape: JsonObject, item: str = "") -> str:
    """The type in a word or two; `item` is the type of a list's items."""
    if kind is FieldKind.TEXT:
        written = shape.get("format")
        return one_line(written, 40) if is_text(written) and written else "string"
    if kind in {FieldKind.ARRAY, FieldKind.MULTI_CHOICE}:
        return f"array of {item}" if item else "array"
    if kind in {FieldKind.CHOICE, FieldKind.UNION, FieldKind.CONST}:
        return ""
    return {FieldKind.ANY: "any JSON", FieldKind.FALSE_SCHEMA: "no value allowed"}.get(
        kind, kind.value
    )


def facts(shape: JsonObject) -> tuple[str, ...]:
    """Every limit and mark in words, in the order of `RULES`."""
    return tuple(text for rule in RULES for text in rule(shape))


def _number(shape: JsonObject, keyword: str) -> str | None:
    value = shape.get(keyword)
    return exact(value) if is_number(value) else None


def _between(
    low: str, high: str, *, unit: str = "", units: str = ""
) -> Callable[[JsonObject], Iterator[str]]:
    def words(shape: JsonObject) -> Iterator[str]:
        least, most = _number(shape, low), _number(shape, high)
        noun = f" {unit if (most or least) == '1' else units}" if unit else ""
        if least is not None and most is not None:
            yield f"{least}{noun}" if least == most else f"{least}–{most}{noun}"
        elif least is not None:
            yield f"at least {least}{noun}"
        elif most is not None:
            yield f"at most {most}{noun}"

    return words


def _parts(shape: JsonObject) -> Iterator[JsonObject]:
    """A shape, and what it keeps apart because it cannot become one with it."""
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
    written = shape.get("format")
    if is_text(written) and shape.get("type") != "string":
        yield f"format {one_line(written, 40)}"


def _pattern(shape: JsonObject) -> Iterator[str]:
    for pattern in (part.get("pattern") for part in _parts(shape)):
        if not is_text(pattern):
            continue
        shown = one_line(pattern, MAX_WORDS)
        yield (
            f"matches {shown}"
            if is_readable(pattern)
            else f"pattern not validated: cannot read {shown}"
        )


def _unique(shape: JsonObject) -> Iterator[str]:
    if shape.get("uniqueItems") is True:
        yield "unique items"


def _examples(shape: JsonObject) -> Iterator[str]:
    examples = shape.get("examples")
    if isinstance(examples, list) and examples:
        texts = [_plain(example) for example in examples[:5]]
        twins = {text for text in texts if texts.count(text) > 1}
        shown = ", ".join(
            exact(example) if text in twins else text
            for text, example in zip(texts, examples[:5], strict=True)
        )
        yield f"e.g. {one_line(shown, MAX_WORDS)}"


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
    _between("minProperties", "maxProperties", unit="key", units="keys"),
    _examples,
    _marks,
)
"""What is said, in this order."""
