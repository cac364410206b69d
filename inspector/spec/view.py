"""Tolerant reading of one JSON object.

A view never raises and never drops anything: `raw` is the value as received, `unknown` the members that no reader read, `notes`
the findings. Missing, null and empty stay three things: `has` is whether a member is present, `value` is its value, and the typed
readers return a usable value and add a finding if the type is wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, TypeVar

from inspector.finding import Finding, Severity
from inspector.spec.findings import make_finding
from inspector.spec.json_types import type_text
from inspector.spec.pointer import join
from inspector.visible_text import hidden_characters

if TYPE_CHECKING:
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json, JsonObject

MAX_ITEMS = 100_000
"""Items of one page, and of one list, that are listed: each takes some hundred bytes, of two on the wire."""

PAGE_BUDGET = 500
"""Pages of a list that are read at once: one whose pages have no end is not read for ever."""

MAX_CHARACTERS = 50_000
"""Characters of one string that are searched for invisible ones."""

MAX_NAMED = 5
"""Different invisible characters that a finding names."""

RULE_SCHEMA = "L-JR-30"
"""The rule for a wrong type."""


V = TypeVar("V", bound="View")


class View:
    """One JSON object, read member by member.

    Subclasses read what they know in `_read_members` and keep it in attributes. A class with thousands of instances may leave
    part of that to `_complete`.
    """

    SUBJECT: ClassVar[str] = "messages"
    """The topic of `spec_urls` that describes the object."""
    RULE: ClassVar[str] = RULE_SCHEMA
    """The rule for a member that is missing or of the wrong type."""
    NOUN: ClassVar[str] = "this"
    """What the object is called in findings about the whole object."""
    POINTER: ClassVar[str] = ""
    """Where in a message the object is, unless the constructor is given another pointer."""

    def __init__(
        self, raw: Json, pointer: str | None = None, revision: Revision | None = None
    ) -> None:
        """Read `raw` at the JSON pointer `pointer` of a message of `revision`."""
        self.raw = raw
        self.pointer = self.POINTER if pointer is None else pointer
        self.revision = revision
        self._notes: list[Finding] = []
        self._members: JsonObject = raw if isinstance(raw, dict) else {}
        self._known: set[str] = set()
        if not isinstance(raw, dict):
            self.add_finding(f"{self.NOUN} must be an object, not {type_text(raw)}")
        self._read_members()

    def _read_members(self) -> None:
        """Read what the class knows, once, into attributes."""

    @property
    def notes(self) -> list[Finding]:
        """Its own findings."""
        self._complete()
        return self._notes

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, those of its parts included."""
        return tuple(self.notes)

    @property
    def rule(self) -> str:
        """The rule for a member that is missing or of the wrong type."""
        return self.RULE

    @property
    def is_object(self) -> bool:
        """Whether the value is an object."""
        return isinstance(self.raw, dict)

    @property
    def unknown(self) -> JsonObject:
        """The members that were not read."""
        self._complete()
        return {key: value for key, value in self._members.items() if key not in self._known}

    def has(self, key: str) -> bool:
        """Whether the member is present; null counts."""
        self._known.add(key)
        return key in self._members

    def value(self, key: str) -> Json:
        """Return the member as it is; None also if it is missing."""
        self._known.add(key)
        return self._members.get(key)

    def text(self, key: str, *, required: bool = False) -> str:
        """Return a string member, or an empty string."""
        value = self.value(key)
        if isinstance(value, str):
            return value
        self._wrong_type(key, "a string", required=required)
        return ""

    def number(self, key: str, *, required: bool = False) -> int | float | None:
        """Return a number member, or None."""
        value = self.value(key)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return value
        self._wrong_type(key, "a number", required=required)
        return None

    def flag(self, key: str, *, default: bool = False) -> bool:
        """Return a boolean member; `default` if it is missing or has another type."""
        value = self.value(key)
        if isinstance(value, bool):
            return value
        self._wrong_type(key, "a boolean")
        return default

    def listed_items(self, key: str) -> list[Json]:
        """Return the items of a list page, up to `MAX_ITEMS`; a finding reports items beyond it."""
        items = self.items(key, required=True)
        if len(items) > MAX_ITEMS:
            text = f"`{key}` has {len(items):,} items in one page; {MAX_ITEMS:,} of them are listed"
            self._notes.append(make_finding("too-many-items", text))
        return items[:MAX_ITEMS]

    def items(self, key: str, *, required: bool = False) -> list[Json]:
        """Return an array member, with items of any type, or an empty list."""
        value = self.value(key)
        if isinstance(value, list):
            return value
        self._wrong_type(key, "an array", required=required)
        return []

    def has_no_items(self, key: str) -> bool:
        """Whether an array member is empty, or missing where nothing unknown is in its place; a value of another type is neither."""
        if self.has(key):
            return self.value(key) == []
        return self.is_object and not self.unknown

    def members(self, key: str, *, required: bool = False) -> JsonObject:
        """Return an object member, or an empty object."""
        value = self.value(key)
        if isinstance(value, dict):
            return value
        self._wrong_type(key, "an object", required=required)
        return {}

    def views(self, key: str, view: type[V], *, required: bool = False) -> tuple[V, ...]:
        """Return the items of an array member, each read by `view`; their findings stay theirs."""
        base, items = self.pointer_to(key), self.items(key, required=required)
        return tuple(
            view(item, f"{base}/{number}", self.revision) for number, item in enumerate(items)
        )

    def texts(self, key: str) -> tuple[str, ...]:
        """Return the strings of an array member; other items get a finding and remain in `raw`."""
        found: list[str] = []
        for number, item in enumerate(self.items(key)):
            if isinstance(item, str):
                found.append(item)
            else:
                self.add_finding(
                    f"`{key}` must contain strings, not {type_text(item)}", key, number
                )
        return tuple(found)

    def pointer_to(self, *steps: str | int) -> str:
        """Return the JSON pointer of a member."""
        return join(self.pointer, *steps)

    def add_finding(
        self,
        text: str,
        *steps: str | int,
        rule: str = "",
        severity: Severity | None = None,
        section: str = "",
    ) -> None:
        """Add a finding about the member at `steps`, or about the whole."""
        found = make_finding(
            rule or self.rule,
            text,
            self.pointer_to(*steps),
            self.revision,
            severity=severity,
            subject=self.SUBJECT,
            section=section,
        )
        self._notes.append(found)

    def include_findings_of(self, part: View) -> None:
        """Add the findings of a part to those of the whole."""
        self._notes += part.notes

    def check_hidden_text(self, *keys: str) -> None:
        """Add a finding for each string member that contains invisible or reordering characters (L-Q-03).

        A model reads such characters, so a description can tell it more than the user sees. CRLF line breaks are allowed.
        """
        for key in keys:
            value = self.value(key)
            if not isinstance(value, str) or (value.isascii() and value.isprintable()):
                continue
            counts = hidden_characters(value[:MAX_CHARACTERS].replace("\r\n", "\n"))
            if counts:
                total = sum(counts.values())
                names = ", ".join(list(counts)[:MAX_NAMED]) + (
                    "…" if len(counts) > MAX_NAMED else ""
                )
                plural = "" if total == 1 else "s"
                text = f"`{key}` has {total:,} invisible or reordering character{plural}: {names}"
                self.add_finding(text, key, rule="L-Q-03")

    def _complete(self) -> None:
        """Read what was deferred, once."""

    def _wrong_type(self, key: str, expected: str, *, required: bool = False) -> None:
        if key not in self._members:
            if required and self.is_object:
                self.add_finding(f"`{key}` is missing", key)
            return
        value = self._members[key]
        severity = Severity.WARNING if value is None and not required else Severity.ERROR
        self.add_finding(
            f"`{key}` must be {expected}, not {type_text(value)}", key, severity=severity
        )
