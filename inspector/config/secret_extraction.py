"""Secret values extracted out of a profile before it is saved, and restored before it is used. Pure.

The profile keeps the masked form of an extracted value (nothing of a variable, a header or a secret of the authorization) and its slot in
`Profile.extracted`. The secret itself is stored under the id of the profile and that slot, as in `3f…/env:API_KEY`. A value that was edited
meanwhile, so that it is no longer the masked form of the stored one, stays as edited.

The slot `arg:N` counts arguments from 0, as they were when they were extracted. Arguments may be inserted and removed after that, in the file
too: a secret returns to where its masked form is, behind the same option, and nowhere else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.config import authorization
from inspector.config.profile import masked_arguments
from inspector.config.secrets import mask_secret
from inspector.spec.pointer import join
from inspector.wire.argument_secrets import mask_arguments, mask_command_line, options_before
from inspector.wire.json_codec import JsonSyntaxError, read, write
from inspector.wire.redaction import MASK, has_secret

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from inspector.auth.settings import Settings
    from inspector.config.profile import Pairs, Profile
    from inspector.wire.json_codec import Json, JsonObject
    from inspector.wire.secret_options import CommandOptions

    Change = Callable[[str, str, str], str]
    """Takes the slot of a text, its name and the text; returns the text to use instead."""

ENV = "env:"
HEADER = "header:"
AUTH = "auth:"
WHOLE = (ENV, HEADER, AUTH)
"""Slots whose whole text is the secret, so that the profile keeps an empty text."""
EXTRA = "extra:"
ARGUMENT = "arg:"
URL = "url"
PROXY = "proxy"
COMMAND = "command"


def account(profile: Profile, slot: str) -> str:
    """Return the account under which the secret of a slot is stored."""
    return f"{profile.id}/{slot}"


def accounts(profile: Profile) -> tuple[str, ...]:
    """Return the accounts of all secrets that a profile has or had."""
    kept = (account(profile, slot) for slot in profile.extracted)
    return tuple(dict.fromkeys((*kept, *extract_secrets(profile)[1])))


def has_masked_text(profile: Profile) -> bool:
    """Whether a text that is edited as a whole, the command, an argument or a URL, lacks its secrets."""
    return any(
        slot in (URL, PROXY, COMMAND) or slot.startswith(ARGUMENT) for slot in profile.extracted
    )


def extract_secrets(profile: Profile) -> tuple[Profile, dict[str, str]]:
    """Return the profile without its secrets, and the secrets by account."""
    extracted: dict[str, str] = {}

    def hide(slot: str, name: str, text: str) -> str:
        hidden = "" if slot.startswith(WHOLE) else _mask(slot, name, text)
        if hidden == text or not (slot == COMMAND or has_secret(name, text)):
            return text
        extracted[slot] = text
        return hidden

    changed = _changed(profile, hide)
    args, arguments = _extract_arguments(profile)
    extracted |= arguments
    if not extracted:
        return profile, {}
    kept = tuple(slot for slot in profile.extracted if slot not in extracted)
    changed = replace(changed, args=args, extracted=(*kept, *extracted))
    return changed, {account(profile, slot): value for slot, value in extracted.items()}


def restore_secrets(
    profile: Profile, get: Callable[[str], str | None]
) -> tuple[Profile, dict[str, str]]:
    """Return the profile with the secrets that `get` finds by account, and these secrets by account."""
    found: dict[str, str] = {}
    for slot in profile.extracted:
        value = get(account(profile, slot))
        if value is not None:
            found[slot] = value

    def fill(slot: str, name: str, text: str) -> str:
        value = found.get(slot)
        if value is None:
            return text
        if slot.startswith(WHOLE):
            return text or value
        return value if _mask(slot, name, value) == text else text

    opened = replace(
        _changed(profile, fill),
        args=_restore_arguments(profile, found),
        extracted=tuple(slot for slot in profile.extracted if slot not in found),
    )
    return opened, {account(profile, slot): value for slot, value in found.items()}


def masked(profile: Profile) -> Profile:
    """Return the profile with dots instead of every secret, also of those that were not restored."""

    def hide(slot: str, name: str, text: str) -> str:
        return MASK if not text and slot in profile.extracted else _mask(slot, name, text)

    return replace(_changed(profile, hide), args=tuple(masked_arguments(profile)))


def _mask(slot: str, name: str, text: str) -> str:
    return mask_command_line(text) if slot == COMMAND else mask_secret(name, text)


def _changed(profile: Profile, change: Change) -> Profile:
    """Return the profile with each text that can have a secret replaced by what `change` returns; not its arguments."""
    return replace(
        profile,
        env=_changed_pairs(ENV, profile.env, change),
        headers=_changed_pairs(HEADER, profile.headers, change),
        command=change(COMMAND, "", profile.command),
        url=change(URL, "", profile.url),
        proxy=change(PROXY, "", profile.proxy),
        authorization=_changed_authorization(profile.authorization, change),
        extra=_changed_members(EXTRA, profile.extra, change),
    )


def _changed_pairs(prefix: str, pairs: Pairs, change: Change) -> Pairs:
    return tuple((name, change(f"{prefix}{name}", name, value)) for name, value in pairs)


def _changed_authorization(settings: Settings, change: Change) -> Settings:
    kept = {key: authorization.secret(settings, key) for key in authorization.SECRETS}
    return authorization.with_secrets(
        settings, {key: change(f"{AUTH}{key}", key, text) for key, text in kept.items()}
    )


def _changed_members(slot: str, members: JsonObject, change: Change) -> JsonObject:
    return {
        name: _changed_value(join(slot, name), name, value, change)
        for name, value in members.items()
    }


def _changed_value(slot: str, name: str, value: Json, change: Change) -> Json:
    """Return a member with its strings replaced, at any depth; the items of an array have the name of the array."""
    if isinstance(value, str):
        return change(slot, name, value)
    if isinstance(value, dict):
        return _changed_members(slot, value, change)
    if isinstance(value, list):
        return [
            _changed_value(join(slot, index), name, item, change)
            for index, item in enumerate(value)
        ]
    return value


def _extract_arguments(profile: Profile) -> tuple[tuple[str, ...], dict[str, str]]:
    """Return the arguments with their secrets masked, and the texts to store by slot; slots in use belong to other secrets."""
    arguments, used = profile.args, profile.extracted
    masked = masked_arguments(profile)
    extracted: dict[str, str] = {}
    for index, (argument, hidden) in enumerate(zip(arguments, masked, strict=True)):
        if hidden != argument:
            # Stored with the option before it: dots alone do not identify an argument.
            start = index - 1 if hidden == MASK and index else index
            slot = _free_slot(index, (*used, *extracted))
            extracted[slot] = write([*arguments[start : index + 1]])
    return tuple(masked), extracted


def _restore_arguments(profile: Profile, stored: Mapping[str, str]) -> tuple[str, ...]:
    """Return the arguments of a profile with those secrets of `stored` (by slot, the oldest first) whose masked form is among them."""
    arguments, opened = profile.args, dict[int, str]()
    before = [*options_before(arguments, program=profile.command)] if stored else []
    # The secret that was extracted last has replaced an older one with the same masked form.
    for slot, text in reversed([*stored.items()]):
        passage = _passage(text) if slot.startswith(ARGUMENT) else ()
        if not passage:
            continue
        ends = [end for end in _find_ends(passage, arguments, before) if end not in opened]
        if ends:
            opened[_nearest(ends, slot.removeprefix(ARGUMENT))] = passage[-1]
    return tuple(opened.get(index, argument) for index, argument in enumerate(arguments))


def _free_slot(index: int, used: Collection[str]) -> str:
    while f"{ARGUMENT}{index}" in used:
        index += 1
    return f"{ARGUMENT}{index}"


def _nearest(indices: Sequence[int], number: str) -> int:
    former = int(number[:9]) if number.isdecimal() else 0
    return min(indices, key=lambda index: abs(index - former))


def _passage(text: str) -> tuple[str, ...]:
    """Return the arguments stored for a slot: one, or two if its option is an argument of its own; empty if the text cannot be read."""
    try:
        value = read(text.encode("utf-8", "surrogatepass")).value
    except JsonSyntaxError:
        return ()
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def _find_ends(
    passage: Sequence[str], arguments: Sequence[str], before: Sequence[CommandOptions]
) -> list[int]:
    """Return the indices of the arguments that end the masked form of a passage; what it is depends on what was read before each."""
    size = len(passage)
    return [
        end
        for end in range(size - 1, len(arguments))
        if _may_hide(passage[-1], arguments[end])
        and [*arguments[end + 1 - size : end + 1]]
        == mask_arguments(passage, before=before[end + 1 - size])
    ]


def _may_hide(text: str, masked: str) -> bool:
    """Return whether a text begins and ends like a masked one, which takes less time than to mask it."""
    start, mask, rest = masked.partition(MASK)
    return bool(mask) and text.startswith(start) and text.endswith(rest.rpartition(MASK)[2])
