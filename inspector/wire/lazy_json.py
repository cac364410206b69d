"""Large JSON read one level at a time: a member that is not requested is never read.

Small text gives plain values, as `json_codec.read_value` does. Large text gives objects and arrays that read a member when it is requested; of an
array of very many items, not even their number is known before someone needs it. To Python code that only reads they are a `dict` and a `list`,
and `json_codec.write` copies unread text. Not plain ones: code written in C sees unread text in them; call `materialized` before you pass them on.
"""

from __future__ import annotations

import sys
import time
from array import array
from bisect import bisect_right
from operator import index
from typing import TYPE_CHECKING, NoReturn, SupportsIndex, TypeAlias, cast, overload

import msgspec

from inspector.wire import incremental_json, json_codec, json_pages
from inspector.wire.json_codec import RawJson

if TYPE_CHECKING:
    from _collections_abc import dict_items, dict_values
    from collections.abc import Iterator

    from inspector.wire.json_codec import Json, JsonObject
    from inspector.wire.json_pages import ItemPage

Text: TypeAlias = bytes | msgspec.Raw
"""JSON text."""

LARGE = 64 << 10
"""Bytes of text from which an object or array is read member by member."""


def read(text: Text) -> Json:
    """The value of JSON text.

    Raises:
        JsonSyntaxError: the text is not JSON.
    """
    if len(text) > LARGE:
        make = _LAZY.get(bytes(memoryview(text)[:64]).lstrip()[:1])
        try:
            return make(text) if make is not None else json_codec.read_value(text)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            pass  # needs a tolerance, or is not JSON
    return json_codec.read_value(text)


def is_large_other(text: Text) -> bool:
    """Whether text is large and no object."""
    return len(text) > LARGE and not bytes(memoryview(text)[:64]).lstrip().startswith(b"{")


def member(value: JsonObject, key: str, limit: int = LARGE) -> Json:
    """The member of an object called `key`; an array or object of more than `limit` bytes stays text."""
    text = value.unread_text(key) if isinstance(value, LazyObject) else b""
    is_large = len(text) > limit and text.lstrip()[:1] != b'"'
    return RawJson(text.decode("utf-8", "replace")) if is_large else value.get(key)


def materialized(value: Json) -> Json:
    """`value` with everything read, for code that looks at it from C."""
    return (
        json_codec.read_value(value.text) if isinstance(value, (LazyObject, LazyArray)) else value
    )


def _taken(member: Json | msgspec.Raw) -> Json:
    return read(member) if isinstance(member, msgspec.Raw) else member


class LazyObject(dict[str, "Json"]):
    """An object whose members are read when they are taken out."""

    def __init__(self, text: Text) -> None:
        super().__init__(cast("dict[str, Json]", incremental_json.decode_members(text)))
        self.text = text
        """The whole."""

    def __getitem__(self, key: str) -> Json:
        """The member called `key`, read once."""
        member = _taken(super().__getitem__(key))
        self[key] = member
        return member

    def materialize(self, key: str) -> None:
        """Read a member as a whole, if it is there: for one that will be looked at from end to end."""
        member = cast("Json | msgspec.Raw", super().get(key))
        if isinstance(member, msgspec.Raw):
            self[key] = json_codec.read_value(member)

    def unread(self, key: str) -> Json | msgspec.Raw:
        """The member called `key` as it is: read, or to be read."""
        return cast("Json | msgspec.Raw", super().__getitem__(key))

    def unread_text(self, key: str) -> bytes:
        """The text of a member that was not read yet; empty where it was, or is not there."""
        member = cast("Json | msgspec.Raw", super().get(key))
        return bytes(member) if isinstance(member, msgspec.Raw) else b""

    def settling(self, key: str) -> Iterator[None]:
        """The same in steps, for a large member."""
        member = cast("Json | msgspec.Raw", super().get(key))
        if isinstance(member, msgspec.Raw):
            self[key] = yield from incremental_json.read_incrementally(member)
            yield

    def get(self, key: str, default: Json = None) -> Json:  # type: ignore[override] - JSON only
        """The member called `key`, or `default`."""
        try:
            return self[key]
        except KeyError:
            return default

    def __iter__(self) -> Iterator[str]:
        """Return the names. Without this method `dict(…)` and `**` would copy unread text."""
        return super().__iter__()

    def __eq__(self, other: object) -> bool:
        """Compare by content, read or not."""
        return isinstance(other, dict) and dict(self.items()) == other

    def __ne__(self, other: object) -> bool:
        """Compare likewise: what is inherited would look at unread text."""
        return not self == other

    __hash__ = None

    def pop(self, key: str, *default: Json) -> Json:  # type: ignore[override] - JSON only
        """Take a member out, read."""
        return _taken(cast("Json | msgspec.Raw", super().pop(key, *default)))

    def popitem(self) -> tuple[str, Json]:
        """Take the last member out, read."""
        key, member = super().popitem()
        return key, _taken(member)

    def setdefault(self, key: str, default: Json = None) -> Json:
        """The member called `key`, or `default`, which it is from now on."""
        return self[key] if key in self else super().setdefault(key, default)

    def copy(self) -> dict[str, Json]:
        """Every member, read."""
        return dict(self.items())

    def values(self) -> dict_values[str, Json]:
        """Every member, read."""
        return {key: self[key] for key in self}.values()

    def items(self) -> dict_items[str, Json]:
        """Every name and member, read."""
        return {key: self[key] for key in self}.items()


class LazyArray(list["Json"]):
    """An array whose items are read when they are taken out."""

    def __init__(self, text: Text) -> None:
        super().__init__(cast("list[Json]", incremental_json.decode_items(text)))
        self.text = text
        """The whole."""

    @overload
    def __getitem__(self, at: SupportsIndex) -> Json: ...
    @overload
    def __getitem__(self, at: slice) -> list[Json]: ...
    def __getitem__(self, at: SupportsIndex | slice) -> Json | list[Json]:
        """The item or items at `at`."""
        if isinstance(at, slice):
            return [_taken(item) for item in super().__getitem__(at)]
        item = _taken(super().__getitem__(at))
        self[at] = item
        return item

    def unread(self, start: int, stop: int) -> list[Json | msgspec.Raw]:
        """The items from `start` to before `stop` as they are, to be read one by one."""
        return cast("list[Json | msgspec.Raw]", super().__getitem__(slice(start, stop)))

    def __iter__(self) -> Iterator[Json]:
        """Every item, read on the way."""
        return (_taken(item) for item in super().__iter__())

    def __eq__(self, other: object) -> bool:
        """Compare by content, read or not."""
        return isinstance(other, list) and [*self] == [*cast("list[Json]", other)]

    def __ne__(self, other: object) -> bool:
        """Compare likewise: what is inherited would look at unread text."""
        return not self == other

    __hash__ = None

    def __contains__(self, item: object) -> bool:
        return any(each == item for each in self)

    def __reversed__(self) -> Iterator[Json]:
        """Every item from the last one on, read on the way."""
        return (self[at] for at in range(len(self) - 1, -1, -1))

    def __add__(self, other: list[Json]) -> list[Json]:  # type: ignore[override] - JSON only
        """Every item of both, read."""
        return [*self, *other]

    def count(self, item: Json) -> int:
        """Return how many items are equal to this one."""
        return sum(each == item for each in self)

    def index(self, item: Json, start: SupportsIndex = 0, stop: SupportsIndex = sys.maxsize) -> int:
        """Return the number of the first item that is equal to this one."""
        return [*self].index(item, start, stop)

    def pop(self, at: SupportsIndex = -1) -> Json:
        """Take an item out, read."""
        return _taken(super().pop(at))

    def copy(self) -> list[Json]:
        """Every item, read."""
        return [*self]


class LongArray(LazyArray):
    """An array of very many items, of which no more are found than were needed so far. It refuses to be changed: its text is what there is.

    To code written in C it is one unread text: all of its items.
    """

    def __init__(self, text: Text) -> None:
        self._inner = json_pages.items_text(text)
        list[msgspec.Raw].__init__(cast("list[msgspec.Raw]", self), [msgspec.Raw(self._inner)])
        self.text = text
        """The whole."""
        self.known = 0
        """Items that were found so far."""
        self.is_counted = False
        """Whether these are all."""
        self._unfound = json_pages.pages(self._inner)
        self._pages: list[ItemPage] = []
        self._starts = array("Q")
        """The number of the first item of each page."""
        self._open: tuple[int, list[msgspec.Raw]] = -1, []
        """The page that was read last, and its items."""
        self._read: dict[int, Json] = {}
        """Items that were read."""

    def find_items(self, count: int) -> None:
        """Find this many items, or all there are."""
        while self.known < count and self._find_page():
            pass

    def find_for(self, seconds: float) -> None:
        """Find more items for about this time."""
        end = time.perf_counter() + seconds
        while time.perf_counter() < end and self._find_page():
            pass

    def _find_page(self) -> bool:
        page = next(self._unfound, None)
        if page is not None:
            self._pages.append(page)
            self._starts.append(self.known)
            self.known += page.count
        self.is_counted = page is None or page.stop == len(self._inner)
        return page is not None

    def _items(self, at: int) -> list[msgspec.Raw]:
        """The items of a page."""
        if self._open[0] != at:
            self._open = at, json_pages.page_items(self._inner, self._pages[at])
        return self._open[1]

    def _text_at(self, at: int) -> msgspec.Raw:
        page = bisect_right(self._starts, at) - 1
        return self._items(page)[at - self._starts[page]]

    def __len__(self) -> int:
        """The number of all items, which takes half a second for ten million."""
        while self._find_page():
            pass
        return self.known

    def __bool__(self) -> bool:
        """There are items."""
        return True

    @overload
    def __getitem__(self, at: SupportsIndex) -> Json: ...
    @overload
    def __getitem__(self, at: slice) -> list[Json]: ...
    def __getitem__(self, at: SupportsIndex | slice) -> Json | list[Json]:
        """The item or items at `at`."""
        if isinstance(at, slice):
            is_counted = min(at.start or 0, 0 if at.stop is None else at.stop, at.step or 1) < 0
            self.find_items(sys.maxsize if is_counted or at.stop is None else at.stop)
            return [self[each] for each in range(*at.indices(self.known))]
        at = index(at)
        self.find_items(at + 1 if at >= 0 else sys.maxsize)
        position = at if at >= 0 else self.known + at
        if not 0 <= position < self.known:
            raise IndexError("list index out of range")
        if position not in self._read:
            self._read[position] = read(self._text_at(position))
        return self._read[position]

    def unread(self, start: int, stop: int) -> list[Json | msgspec.Raw]:
        """The items from `start` to before `stop` as they are, to be read one by one."""
        self.find_items(stop)
        numbers = range(start, min(stop, self.known))
        return [self._read[at] if at in self._read else self._text_at(at) for at in numbers]

    def __iter__(self) -> Iterator[Json]:
        """Every item, read on the way."""
        page = 0
        while page < len(self._pages) or self._find_page():
            yield from map(read, self._items(page))
            page += 1

    def _refuse(self, *_args: object, **_options: object) -> NoReturn:
        raise TypeError("an array of very many items is not changed")

    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse
    append = extend = insert = remove = pop = clear = reverse = _refuse
    sort = _refuse  # pyright: ignore[reportAssignmentType] - its overloads name another `self`


def _lazy_array(text: Text) -> LazyArray:
    if not json_pages.has_many_items(text):
        return LazyArray(text)
    if not isinstance(text, msgspec.Raw):
        json_pages.skip(text)  # raises what it would if its items were found
    return LongArray(text)


_LAZY = {b"{": LazyObject, b"[": _lazy_array}
"""What is made of a text by its first sign."""
