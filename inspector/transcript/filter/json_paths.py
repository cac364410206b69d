"""Paths into messages: `params.arguments.x`, and what is compared there.

    params.arguments.x             a member of a member; params, result and error are roots
    $.jsonrpc                      a member of the message itself
    result.content[0].text, result.content[*].text, result.x-*
    params."a.b", params["a b"]    names with characters that mean something

A path leads into the frame's own message, in each message of a batch, and in Spyglass notes.
"""

from __future__ import annotations

from functools import partial
from operator import ge, gt, le, lt
from typing import TYPE_CHECKING, NamedTuple

from inspector.spec import pointer as json_pointer
from inspector.transcript.filter.expression import Content
from inspector.transcript.filter.parser import (
    WHOLE,
    QueryError,
    Term,
    Value,
    is_root,
    parse_group,
    split,
    wrong_value,
)
from inspector.transcript.filter.parser import quoted as quoted_text
from inspector.transcript.filter.patterns import Pattern
from inspector.transcript.index import CHANNELS
from inspector.transcript.text_search import Glob, TextPattern
from inspector.wire import json_codec, lazy_json
from inspector.wire.frame import Channel, FrameDefect
from inspector.wire.message import MessageKind, decode_frame

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from inspector.transcript.filter.expression import Block, Numbers
    from inspector.transcript.filter.parser import QueryChar
    from inspector.wire.json_codec import Json

_RESPONSES = (MessageKind.RESPONSE, MessageKind.ERROR, MessageKind.BATCH)
_KINDS = {
    "params": (MessageKind.REQUEST, MessageKind.NOTIFICATION, MessageKind.BATCH),
    "result": _RESPONSES,
    "error": _RESPONSES,
    WHOLE: (MessageKind.REQUEST, MessageKind.NOTIFICATION, MessageKind.NOTE, *_RESPONSES),
}
"""Kinds of frames that a path leads into, by its root."""

_ORDERED: dict[str, Callable[..., bool]] = {">=": ge, "<=": le, ">": gt, "<": lt}

_ESCAPE = b"\\u00"
"""With it a name may be written in another way than `TextPattern` knows."""

MAX_VALUE = 200
"""Characters of a string that a term compares with as a whole."""


class PathStep(NamedTuple):
    """One name or index of a path."""

    name: str
    """The name of a member, or the index of an item."""
    glob: Glob | None = None
    """The pattern of several names, instead of one."""


class JsonPath(NamedTuple):
    """Where in a message a value is."""

    root: str
    """`params`, `result`, `error` or `$`."""
    steps: tuple[PathStep, ...]
    """The way from the root."""

    def values(self, message: Json) -> Iterator[Json]:
        """Yield the values at the path, in a message or in each message of a batch."""
        for each in message if isinstance(message, list) else (message,):
            if self.root == WHOLE:
                yield from _values(each, self.steps)
            elif isinstance(each, dict) and self.root in each:
                yield from _values(each[self.root], self.steps)

    @property
    def needle(self) -> str:
        """The last name in the path: it is in the text of each message with such a value."""
        names = [step.name for step in self.steps if not step.glob and not step.name.isdigit()]
        return names[-1] if names else "" if self.root == WHOLE else self.root


def _values(value: Json, steps: Sequence[PathStep]) -> Iterator[Json]:
    if not steps:
        yield value
        return
    (name, glob), rest = steps[0], steps[1:]
    if isinstance(value, dict):
        names = [name] if glob is None else [each for each in value if glob.matches(each)]
        for each in names:
            if each in value:
                yield from _values(value[each], rest)
    elif isinstance(value, list):
        if glob is not None:
            for item in value:
                yield from _values(item, rest)
        elif name.isdecimal() and len(name) < json_pointer.MAX_DIGITS and int(name) < len(value):
            yield from _values(value[int(name)], rest)


def read_path(path: Value) -> JsonPath:
    """Return the path that is written in `path`.

    Raises:
        QueryError: it has no root, or a part of it is empty.
    """
    pieces = split(path.characters, ".")
    names = [name for piece in pieces for name in _names(piece, path)]
    root = names[0].name
    if not is_root(root):
        raise wrong_value(path, "A path begins with params, result, error or $: params.arguments.x")
    return JsonPath(root, tuple(names[1:]))


def parse_path(text: str) -> JsonPath:
    """Return the path that `text` is.

    Raises:
        QueryError: it is no path, or more than one.
    """
    group = parse_group(f"has:{text}")
    terms = group.alternatives[0]
    term = terms[0]
    if len(group.alternatives) > 1 or len(terms) > 1 or not isinstance(term, Term):
        raise QueryError("Not a path", 0, stop=len(text))
    return existence(term.value).path


def _names(piece: list[QueryChar], path: Value) -> list[PathStep]:
    """Return the names of a part between dots: `items[0]["a b"]` has three."""
    name, *brackets = split(piece, "[")
    steps = [_step(name, path)] if name or not brackets else []
    for bracket in brackets:
        if not bracket or bracket[-1] != ("]", False):
            raise wrong_value(path, "“[” in a path must be followed by an index or name and “]”")
        steps.append(_step(bracket[:-1], path))
    return steps


def _step(characters: list[QueryChar], path: Value) -> PathStep:
    if not characters:
        raise wrong_value(path, "A name in the path is empty")
    pieces = Value(tuple(characters), path.position, path.stop).pieces
    name = "".join(each.text for each in characters)
    return PathStep(name, Glob(pieces) if len(pieces) > 1 else None)


HAS_JSON = frozenset(_KINDS[WHOLE])
"""Kinds of frames that a path leads into."""


class PathCondition(Content, frozen=True):
    """A test of the values at a path; one of them must pass."""

    path: JsonPath
    test: Callable[[Json], bool]

    def select(self, block: Block, numbers: Numbers) -> Numbers:
        """Return the frames with a value that passes; only those with the last name of the path are read as JSON."""
        columns, kinds = block.transcript.columns, _KINDS[self.path.root]
        numbers = [number for number in numbers if columns.kind[number - 1] in kinds]
        raws = block.raws(numbers)
        found = set(TextPattern([self.path.needle]).find_in(raws))
        found.update(at for at, raw in enumerate(raws) if _ESCAPE in raw)
        return [
            numbers[at]
            for at in sorted(found)
            if self._holds(raws[at], columns.channel[numbers[at] - 1])
        ]

    def _holds(self, raw: bytes, channel: int) -> bool:
        return any(map(self.test, values_in(raw, channel, self.path)))


def values_in(raw: bytes, channel: int, path: JsonPath) -> Iterator[Json]:
    """Yield the values at a path in the message of a frame, which need not be one."""
    if channel == Channel.SSE:
        raw = decode_frame(CHANNELS[channel], raw, FrameDefect.NONE).raw
    try:
        message = lazy_json.read(raw)
    except json_codec.JsonSyntaxError:
        return
    yield from path.values(message)


def existence(value: Value) -> PathCondition:
    """Return the condition that a path has a value, null included."""
    if value.is_pattern:
        raise wrong_value(value, "has: takes a path, for example has:params.arguments.x")
    return PathCondition(read_path(value), lambda _value: True)


def comparison(path: Value, operator: str, value: Value) -> PathCondition:
    """Return the condition that a value at the path compares like this.

    Raises:
        QueryError: the path or the value is wrong.
    """
    if not value.characters and value.stop == value.position:
        text = f'{path.text}{operator} needs a value; an empty string is {path.text}{operator}""'
        raise wrong_value(path, text)
    if operator in _ORDERED:
        return PathCondition(read_path(path), _order_test(operator, value))
    tests = [_equality_test(alternative) for alternative in value.alternatives]
    if operator == "=":
        return PathCondition(read_path(path), lambda found: any(test(found) for test in tests))
    return PathCondition(read_path(path), lambda found: not any(test(found) for test in tests))


def _order_test(operator: str, value: Value) -> Callable[[Json], bool]:
    if value.is_pattern:
        raise wrong_value(value, f"{operator} takes a number or a text, not a regular expression")
    compare, limit = _ORDERED[operator], None if value.is_quoted else number_of(value.text)
    if limit is not None:
        return lambda found: _is_number(found) and compare(found, limit)
    return lambda found: isinstance(found, str) and compare(found, value.text)


def _equality_test(value: Value) -> Callable[[Json], bool]:
    if value.is_pattern:
        return partial(_fits, Pattern(value).matches)
    fits = Glob(value.pieces).matches
    if value.is_quoted:
        return lambda found: isinstance(found, str) and fits(found)
    number = number_of(value.text)
    if number is not None:
        return lambda found: found == number if _is_number(found) else _fits(fits, found)
    return partial(_fits, fits)


def _fits(fits: Callable[[str], bool], found: Json) -> bool:
    """Whether a string, or the JSON text of another single value, fits."""
    if isinstance(found, dict | list):
        return False
    return fits(found if isinstance(found, str) else json_codec.write(found))


def _is_number(found: Json) -> bool:
    return isinstance(found, int | float) and not isinstance(found, bool)


def number_of(text: str) -> int | float | None:
    """Return the number that `text` is as JSON; None for another text."""
    try:
        value = json_codec.read_value(text.encode())
    except json_codec.JsonSyntaxError:
        return None
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def path_text(pointer: str) -> str:
    """Return the path to what is at a JSON pointer in a message; empty for the message itself."""
    steps = json_pointer.parts(pointer)
    if steps and steps[0].isdigit():  # a message of a batch: its path is that of any message
        del steps[0]
    if not steps:
        return ""
    text = steps.pop(0) if is_root(steps[0]) and steps[0] != WHOLE else WHOLE
    for step in steps:
        text = f"{text}[{step}]" if step.isdigit() else join_path(text, step)
    return text


def join_path(path: str, name: str) -> str:
    """Return the path of the member called `name` of what is at `path`."""
    if name and all(each.isalnum() or each in "_-$/@" for each in name):
        return f"{path}.{name}"
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'{path}."{escaped}"'


def value_term(pointer: str, value: Json) -> str:
    """Return the term that matches messages with this value at a JSON pointer, or with any value where it is no single short one."""
    return path_term(path_text(pointer), value)


def path_term(path: str, value: Json) -> str:
    """Return the same for a value at a path."""
    if isinstance(value, dict | list) or (isinstance(value, str) and len(value) > MAX_VALUE):
        return f"has:{path}"
    if not isinstance(value, str):
        return f"{path}={json_codec.write(value)}"
    text = quoted_text(value)
    is_ambiguous = text == value and (value in _KEYWORDS or number_of(value) is not None)
    return f'{path}="{value}"' if is_ambiguous else f"{path}={text}"


_KEYWORDS = frozenset({"true", "false", "null"})
