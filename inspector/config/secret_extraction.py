"""Secret values taken out of a profile before it is saved, and put back before it is used. Pure.

A sealed value leaves its masked form behind (nothing at all of a variable, a header or a secret of the authorization), and its slot in `Profile.sealed`; the
secret itself is filed under the profile's identity and that slot, as in `3f…/env:API_KEY`. What was edited meanwhile, so
that it is no longer the masked form of what is filed, stays as it was edited.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.config import authorization
from inspector.config.argument_secrets import ARGUMENT, extract_arguments, restore_arguments
from inspector.config.profile import Profile, with_
from inspector.config.secrets import mask_secret
from inspector.spec.pointer import join
from inspector.wire.secrecy import DOTS, holds_secret, mask_arguments

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.auth.settings import Settings
    from inspector.config.profile import Pairs
    from inspector.wire.jsontext import Json, JsonObject

    Change = Callable[[str, str, str], str]
    """Gives what stands in the place of a text: its slot, its name, the text."""

ENV = "env:"
HEADER = "header:"
AUTH = "auth:"
WHOLE = (ENV, HEADER, AUTH)
"""Slots of a text that is a secret as a whole, of which nothing is left."""
EXTRA = "extra:"
URL = "url"
PROXY = "proxy"


def account(profile: Profile, slot: str) -> str:
    """Return the name under which the secret of a slot is filed."""
    return f"{profile.id}/{slot}"


def accounts(profile: Profile) -> tuple[str, ...]:
    """Return the names of all secrets a profile has or had."""
    kept = (account(profile, slot) for slot in profile.extracted)
    return tuple(dict.fromkeys((*kept, *extract_secrets(profile)[1])))


def has_masked_text(profile: Profile) -> bool:
    """Whether a text that is edited as a whole, an argument or a URL, lacks its secrets."""
    return any(slot in (URL, PROXY) or slot.startswith(ARGUMENT) for slot in profile.extracted)


def extract_secrets(profile: Profile) -> tuple[Profile, dict[str, str]]:
    """Return the profile without its secrets, and the secrets by account."""
    taken: dict[str, str] = {}

    def hide(slot: str, name: str, text: str) -> str:
        hidden = "" if slot.startswith(WHOLE) else mask_secret(name, text)
        if not holds_secret(name, text) or hidden == text:
            return text
        taken[slot] = text
        return hidden

    sealed = _changed(profile, hide)
    args, arguments = extract_arguments(profile.args, profile.extracted)
    taken |= arguments
    if not taken:
        return profile, {}
    kept = tuple(slot for slot in profile.extracted if slot not in taken)
    sealed = with_(sealed, args=args, extracted=(*kept, *taken))
    return sealed, {account(profile, slot): value for slot, value in taken.items()}


def restore_secrets(
    profile: Profile, get: Callable[[str], str | None]
) -> tuple[Profile, dict[str, str]]:
    """Return the profile with the secrets that could be found, and those by account."""
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
        return value if mask_secret(name, value) == text else text

    opened = with_(
        _changed(profile, fill),
        args=restore_arguments(profile.args, found),
        extracted=tuple(slot for slot in profile.extracted if slot not in found),
    )
    return opened, {account(profile, slot): value for slot, value in found.items()}


def masked(profile: Profile) -> Profile:
    """Return the profile with dots in the place of every secret, also of those that were not fetched."""

    def hide(slot: str, name: str, text: str) -> str:
        return DOTS if not text and slot in profile.extracted else mask_secret(name, text)

    return with_(_changed(profile, hide), args=tuple(mask_arguments(profile.args)))


def _changed(profile: Profile, change: Change) -> Profile:
    """The profile with each text that can be a secret, or hold one, as `change` gives it; arguments are not among them."""
    return with_(
        profile,
        env=_changed_pairs(ENV, profile.env, change),
        headers=_changed_pairs(HEADER, profile.headers, change),
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
    """A member, or what is inside it; the items of a list have the name of their list."""
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
