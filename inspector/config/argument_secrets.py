"""Secrets among the arguments of a program: taken out before they are saved, and put back. Pure.

The slot `arg:N` counts arguments from 0, as they stood when they were sealed. Arguments may be inserted and removed after that, by hand in
the file too: a secret goes back to where its masked form stands, behind the same option, and nowhere else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.wire.jsontext import JsonTextError, read, write
from inspector.wire.secrecy import DOTS, mask_arguments

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

ARGUMENT = "arg:"


def extract_arguments(
    arguments: Sequence[str], used: Collection[str]
) -> tuple[tuple[str, ...], dict[str, str]]:
    """Return the arguments with their secrets masked, and what to file by slot; slots in `used` belong to others."""
    masked = mask_arguments(arguments)
    taken: dict[str, str] = {}
    for index, (argument, shown) in enumerate(zip(arguments, masked, strict=True)):
        if shown != argument:
            # Dots alone do not tell what they are, the option before them does.
            start = index - 1 if shown == DOTS and index else index
            slot = _free_slot(index, (*used, *taken))
            taken[slot] = write([*arguments[start : index + 1]])
    return tuple(masked), taken


def restore_arguments(arguments: Sequence[str], filed: Mapping[str, str]) -> tuple[str, ...]:
    """Return the arguments with the secrets that are `filed` by slot, the oldest first, and fit somewhere."""
    opened = dict[int, str]()
    # What was sealed last has replaced what fits there too.
    for slot, text in reversed([*filed.items()]):
        passage = _passage(text) if slot.startswith(ARGUMENT) else ()
        if not passage:
            continue
        places = [
            place for place in _places_of(mask_arguments(passage), arguments) if place not in opened
        ]
        if places:
            opened[_nearest(places, slot.removeprefix(ARGUMENT))] = passage[-1]
    return tuple(opened.get(index, argument) for index, argument in enumerate(arguments))


def _free_slot(index: int, used: Collection[str]) -> str:
    while f"{ARGUMENT}{index}" in used:
        index += 1
    return f"{ARGUMENT}{index}"


def _nearest(places: Sequence[int], number: str) -> int:
    stood = int(number[:9]) if number.isdecimal() else 0
    return min(places, key=lambda place: abs(place - stood))


def _passage(text: str) -> tuple[str, ...]:
    """What is filed for a slot: an argument, behind its option where that is an argument of its own."""
    try:
        value = read(text.encode("utf-8", "surrogatepass")).value
    except JsonTextError:
        return ()
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def _places_of(passage: Sequence[str], arguments: Sequence[str]) -> list[int]:
    """Where the last of a masked passage stands among the arguments."""
    size = len(passage)
    ends = range(size, len(arguments) + 1)
    return [end - 1 for end in ends if [*arguments[end - size : end]] == [*passage]]
