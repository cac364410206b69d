"""What HTTP headers repeat of a message: its revision, method and name, and the arguments that a tool's schema annotates.

A tool with an invalid annotation is excluded over HTTP, and displayed with the reason (C-HTTP-26). Only schemas are searched for
annotations, never examples or defaults. Pure functions, which also preview what will be sent; nothing raises.

Source: basic/transports/streamable-http, "Standard Request Headers", "Custom Headers from Tool Parameters", "Value Encoding";
server/tools, "x-mcp-header". C-HTTP-20 to C-HTTP-36.
"""

from __future__ import annotations

import base64
import re
from typing import TYPE_CHECKING, NamedTuple

from inspector.finding import Finding, Severity
from inspector.frozen import FrozenStruct
from inspector.spec import methods
from inspector.spec.json_types import format_value, type_text
from inspector.spec.keys import (
    HEADER_METHOD,
    HEADER_NAME,
    HEADER_PARAM_PREFIX,
    HEADER_PROTOCOL_VERSION,
    META,
    META_PROTOCOL_VERSION,
)
from inspector.spec.pointer import join
from inspector.spec.subschemas import subschemas
from inspector.wire.json_codec import RawNumber

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.spec.methods import MethodTable
    from inspector.spec.revision import Revision
    from inspector.spec.subschemas import Subschema
    from inspector.wire.json_codec import Json

LARGEST_INTEGER = 2**53 - 1
"""Integers beyond it are not the same for every reader, so that they are not mirrored."""

MAX_ARGUMENTS = 1000
"""Arguments of one object that are looked at."""

HALF = "\N{REPLACEMENT CHARACTER}"
"""What a header says in place of half a surrogate pair, which has no form in UTF-8: as every encoder of the web does."""

_OPENING, _CLOSING = "=?base64?", "?="
_PLAIN = re.compile(r"[\x20-\x7e]*")


class MirroredHeader(FrozenStruct, frozen=True):
    """One header and what it repeats."""

    name: str
    """Of the header."""
    value: str
    """As it is sent, encoded where it must be."""
    source: str
    """JSON pointer into the message, of what it repeats."""
    is_exact: bool = True
    """Whether it says all of that; half a surrogate pair is beyond it."""

    @property
    def is_encoded(self) -> bool:
        """Whether the value travels in base64."""
        return self.value.startswith(_OPENING) and self.value.endswith(_CLOSING)


class MirroredHeaders(FrozenStruct, frozen=True):
    """What is repeated in headers, and what cannot be."""

    headers: tuple[MirroredHeader, ...]
    """In the order in which they are sent."""
    problems: tuple[Finding, ...] = ()
    """Why an annotated argument is not mirrored although it is there, and what the headers cannot say as it is."""

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Names and values."""
        return tuple((mirror.name, mirror.value) for mirror in self.headers)


def well_formed(text: str) -> str:
    """`text` as UTF-8 can say it: `HALF` in place of each half of a surrogate pair."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def is_well_formed(text: str) -> bool:
    """Whether `text` has a form in UTF-8."""
    try:
        text.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError:
        return False
    return True


def encode(text: str) -> str:
    """The value of a header that says `text`; in base64 where it would not survive as it is (C-HTTP-24, C-HTTP-30, C-HTTP-31)."""
    is_encoded = text.startswith(_OPENING) and text.endswith(_CLOSING)
    if _PLAIN.fullmatch(text) and text == text.strip(" ") and not is_encoded:
        return text
    packed = base64.b64encode(well_formed(text).encode()).decode()
    return f"{_OPENING}{packed}{_CLOSING}"


def decode(value: str) -> str:
    """What the value of a header says; as it stands where it is not encoded, or not properly."""
    if not (value.startswith(_OPENING) and value.endswith(_CLOSING)):
        return value
    try:
        packed = value.removeprefix(_OPENING).removesuffix(_CLOSING)
        return base64.b64decode(packed, validate=True).decode()
    except ValueError:
        return value


def mirrored(
    method: str,
    params: Json,
    revision: Revision,
    input_schema: Json = None,
    table: MethodTable = methods.TABLE,
) -> MirroredHeaders:
    """Return what the headers of a message of `table` repeat; `input_schema` is the tool's, for a call of a known tool."""
    found = [_version(params, revision), _mirror(HEADER_METHOD, method, "/method")]
    row = table.find(method, revision)
    if row is None or not isinstance(params, dict):
        return _with_problems(found)
    name = params.get(row.name_param) if row.name_param else None
    if isinstance(name, str):
        found.append(_mirror(HEADER_NAME, name, join("/params", row.name_param)))
    if method != "tools/call" or input_schema is None:
        return _with_problems(found)
    standard = _with_problems(found)
    arguments = mirrored_arguments(input_schema, params.get("arguments"))
    headers = (*standard.headers, *arguments.headers)
    return MirroredHeaders(headers, (*standard.problems, *arguments.problems))


def mirrored_arguments(input_schema: Json, arguments: Json) -> MirroredHeaders:
    """What the headers of a call repeat of its `arguments`: each annotated one that is there and not null (C-HTTP-32, C-HTTP-33)."""
    headers: list[MirroredHeader] = []
    problems: list[Finding] = []
    for each in annotated(input_schema).valid:
        value = value_at(arguments, each)
        if value is None:
            continue
        pointer = join("/params/arguments", *each.path)
        text = _text(value)
        if text is None:
            message = f"`{each.path[-1]}` not sent in header {each.header}: {_why(value)}"
            problems.append(Finding("L-MOD-09", Severity.WARNING, message, pointer))
        else:
            headers.append(_mirror(HEADER_PARAM_PREFIX + each.header, text, pointer))
    return _with_problems(headers, problems)


def places_of(arguments: Json, value: str) -> list[str]:
    """Where the arguments of a call say what a header does, as pointers into the message: for a tool whose schema is not known."""
    text, found = decode(value), list[str]()
    stack: list[tuple[str, Json]] = [("/params/arguments", arguments)]
    while stack and len(found) < MAX_ARGUMENTS:
        pointer, inner = stack.pop()
        if isinstance(inner, dict):
            members = [(join(pointer, key), each) for key, each in inner.items()]
            stack += reversed(members[:MAX_ARGUMENTS])
        elif _text(inner) == text:
            found.append(pointer)
    return found


def _mirror(header: str, text: str, pointer: str) -> MirroredHeader:
    return MirroredHeader(header, encode(text), pointer, is_exact=is_well_formed(text))


def _with_problems(
    headers: list[MirroredHeader], problems: Sequence[Finding] = ()
) -> MirroredHeaders:
    """With what the headers cannot say as it is."""
    return MirroredHeaders(
        tuple(headers), (*problems, *(_inexact(each) for each in headers if not each.is_exact))
    )


def _inexact(mirror: MirroredHeader) -> Finding:
    """The specification requires UTF-8, which a lone surrogate does not have; a missing header would be rejected as well."""
    text = f"{mirror.name} differs from the body: a lone surrogate was replaced by U+FFFD ({HALF}), so the server may reject the request"
    return Finding("L-JR-19", Severity.WARNING, text, mirror.source)


def _version(params: Json, revision: Revision) -> MirroredHeader:
    """The header equals the member of `_meta`, valid or not (C-HTTP-21)."""
    meta = params.get(META) if isinstance(params, dict) else None
    text = meta.get(META_PROTOCOL_VERSION) if isinstance(meta, dict) else None
    version = text if isinstance(text, str) else revision.date
    pointer = join("/params", META, META_PROTOCOL_VERSION) if isinstance(text, str) else ""
    return _mirror(HEADER_PROTOCOL_VERSION, version, pointer)


def value_at(arguments: Json, where: HeaderAnnotation) -> Json:
    """Return the argument that an annotation is about; null if it is not given."""
    value = arguments
    for step in where.path:
        value = value.get(step) if isinstance(value, dict) else None
    return value


def _text(value: Json) -> str | None:
    """C-HTTP-29: text as it is, integers in decimal, `true` and `false`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if isinstance(value, RawNumber | float):
        value = int(value) if value.is_integer() else None
    if isinstance(value, int) and abs(value) <= LARGEST_INTEGER:
        return str(value)
    return None


def _why(value: Json) -> str:
    if isinstance(value, int | float):
        return "not an integer within ±(2^53-1)"
    return f"{type_text(value)} cannot be sent in a header"


KEYWORD = "x-mcp-header"

RULE = "L-TOOL-38"

PRIMITIVES = ("string", "integer", "boolean")
"""What the `type` of an annotated property may be."""

_TOKEN = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
"""RFC 9110, section 5.6.2."""


class HeaderAnnotation(NamedTuple):
    """A property that is repeated in a header."""

    header: str
    """What follows `Mcp-Param-`."""
    path: tuple[str, ...]
    """Keys from the arguments inward."""


class HeaderAnnotations(NamedTuple):
    """What a schema annotates."""

    valid: tuple[HeaderAnnotation, ...]
    """In the order of the schema."""
    problems: tuple[Finding, ...]
    """What is wrong with the others; places begin at the schema."""


def annotated(schema: Json) -> HeaderAnnotations:
    """Look through an input schema."""
    valid: list[HeaderAnnotation] = []
    problems: list[Finding] = []
    taken: set[str] = set()
    for pointer in subschemas(schema):
        if KEYWORD not in pointer.schema:
            continue
        name = pointer.schema[KEYWORD]
        wrong = _wrong(name, pointer)
        if not wrong and isinstance(name, str) and name.lower() in taken:  # C-HTTP-36
            wrong = f"repeats {format_value(name)}; header names are case-insensitive"
        if wrong:
            where = join("", *pointer.steps, KEYWORD)
            problems.append(Finding(RULE, Severity.ERROR, f"`{KEYWORD}` {wrong}", where))
        elif isinstance(name, str) and pointer.path:
            taken.add(name.lower())
            valid.append(HeaderAnnotation(name, pointer.path))
    return HeaderAnnotations(tuple(valid), tuple(problems))


def _wrong(name: Json, pointer: Subschema) -> str:
    if not isinstance(name, str):
        return f"must be a string, not {type_text(name)}"
    if not name:
        return "is empty"
    if not _TOKEN.fullmatch(name):
        return f"is {format_value(name)}, not a valid header name"
    if not pointer.path:
        return "must be on a property reached through `properties` only"
    kind = pointer.schema.get("type")
    if not isinstance(kind, str) or kind not in PRIMITIVES:
        text = format_value(kind) if "type" in pointer.schema else "nothing"
        return f"is on a property of type {text}; allowed: {', '.join(PRIMITIVES)}"
    return ""
