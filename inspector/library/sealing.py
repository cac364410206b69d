"""Secret values taken out of a profile before it is saved, and put back before it is used. Pure.

A sealed value leaves an empty text in its place and its place in `Profile.sealed`; the secret itself is
filed under the profile's identity and that place, as in `3f…/env:API_KEY`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.library import authorization
from inspector.library.profile import Profile, with_
from inspector.wire.secrecy import holds_secret

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from inspector.library.profile import Pairs

ENV = "env:"
HEADER = "header:"
AUTH = "auth:"


def account(profile: Profile, place: str) -> str:
    """Return the name under which the secret of a place is filed."""
    return f"{profile.id}/{place}"


def accounts(profile: Profile) -> tuple[str, ...]:
    """Return the names of all secrets a profile has or had."""
    found = (place for place, name, value in _places(profile) if holds_secret(name, value))
    return tuple(account(profile, place) for place in dict.fromkeys((*profile.sealed, *found)))


def seal(profile: Profile) -> tuple[Profile, dict[str, str]]:
    """Return the profile without its secrets, and the secrets by account."""
    taken = {place: value for place, name, value in _places(profile) if holds_secret(name, value)}
    if not taken:
        return profile, {}
    kept = tuple(place for place in profile.sealed if place not in taken)
    sealed = with_(
        profile,
        env=_emptied(ENV, profile.env, taken),
        headers=_emptied(HEADER, profile.headers, taken),
        authorization=authorization.with_secrets(
            profile.authorization, dict.fromkeys(_members(taken), "")
        ),
        sealed=(*kept, *taken),
    )
    return sealed, {account(profile, place): value for place, value in taken.items()}


def unseal(profile: Profile, get: Callable[[str], str | None]) -> tuple[Profile, dict[str, str]]:
    """Return the profile with the secrets that could be found, and those by account."""
    found: dict[str, str] = {}
    for place in profile.sealed:
        value = get(account(profile, place))
        if value is not None:
            found[place] = value
    opened = with_(
        profile,
        env=_filled(ENV, profile.env, found),
        headers=_filled(HEADER, profile.headers, found),
        authorization=authorization.with_secrets(profile.authorization, _members(found)),
        sealed=tuple(place for place in profile.sealed if place not in found),
    )
    return opened, {account(profile, place): value for place, value in found.items()}


def _places(profile: Profile) -> Iterator[tuple[str, str, str]]:
    for name, value in profile.env:
        yield f"{ENV}{name}", name, value
    for name, value in profile.headers:
        yield f"{HEADER}{name}", name, value
    for key in authorization.SECRETS:
        yield f"{AUTH}{key}", key, authorization.secret(profile.authorization, key)


def _members(values: dict[str, str]) -> dict[str, str]:
    """Those of the values that are members of the authorization."""
    keys = {f"{AUTH}{key}": key for key in authorization.SECRETS}
    return {keys[place]: value for place, value in values.items() if place in keys}


def _emptied(prefix: str, pairs: Pairs, taken: dict[str, str]) -> Pairs:
    return tuple((name, "" if f"{prefix}{name}" in taken else value) for name, value in pairs)


def _filled(prefix: str, pairs: Pairs, found: dict[str, str]) -> Pairs:
    return tuple((name, found.get(f"{prefix}{name}", value) or value) for name, value in pairs)
