"""The list of servers in memory, and how it is saved.

Changing the list is synchronous and fires `changed`; `save` then writes it in a thread, one write at a time, the newest state last. Secret values
are never written to the file of the list: `save` stores them with the secrets, and `resolve` fetches them.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.auth.urls import canonical
from inspector.config.profile import Profile, new_id, unique_name
from inspector.config.secret_extraction import URL, accounts, extract_secrets, restore_secrets
from inspector.config.secrets import LateSecrets
from inspector.errors import StorageError
from inspector.event import Event
from inspector.frozen import FrozenStruct
from inspector.session.transport_factory import transport_kind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inspector.auth.grant import Grants
    from inspector.config.secrets import Secrets
    from inspector.config.servers_file import ServersFile


class Removed(FrozenStruct, frozen=True):
    """A server that was removed from the list, and its index."""

    profile: Profile
    """The server."""
    index: int
    """Its former index in the list."""


class ServerList:
    """The saved servers."""

    def __init__(
        self,
        file: ServersFile,
        open_secrets: Callable[[], Secrets],
        *,
        grants: Grants | None = None,
    ) -> None:
        """Start empty; `load` reads the `file`. The grants of removed servers are dropped from `grants`.

        `open_secrets`, and the methods of what it returns and of `grants`, block and are called in a thread.
        """
        self.changed: Event[()] = Event()
        self.profiles: tuple[Profile, ...] = ()
        self.notes: tuple[str, ...] = ()
        self._file = file
        self._grants = grants
        self._secrets = LateSecrets(open_secrets)
        self._removed: list[Removed] = []
        self._saving = asyncio.Lock()
        self._written: dict[str, str] = {}

    async def load(self) -> None:
        """Read the file; may be called again.

        Raises:
            StorageError: the file exists and cannot be opened.
        """
        saved = await asyncio.to_thread(self._file.load)
        self.profiles = saved.profiles
        self.notes = saved.notes
        self.changed.fire()

    def find(self, profile_id: str) -> Profile | None:
        """Return the server with this id."""
        return next((profile for profile in self.profiles if profile.id == profile_id), None)

    def free_name(self, name: str, *, but: str = "") -> str:
        """Return `name`, numbered if a server other than the one with the id `but` has it."""
        return unique_name(name, {item.name for item in self.profiles if item.id != but})

    def add(self, *profiles: Profile) -> None:
        """Append servers; a name that is taken gets a number."""
        for profile in profiles:
            fresh = replace(profile, name=self.free_name(profile.name))
            self.profiles = (*self.profiles, fresh)
        self.changed.fire()

    def replace(self, profile: Profile) -> None:
        """Replace the server that has the id of `profile`; append `profile` if no server has it."""
        if self.find(profile.id) is None:
            self.add(profile)
            return
        named = replace(profile, name=self.free_name(profile.name, but=profile.id))
        self.profiles = tuple(named if old.id == profile.id else old for old in self.profiles)
        self.changed.fire()

    def duplicate(self, profile: Profile) -> Profile:
        """Insert a copy after `profile` and return it.

        Extracted secrets are not copied: `resolve` the profile first.
        """
        copy = replace(profile, id=new_id(), name=self.free_name(profile.name), extracted=())
        at = next((i for i, old in enumerate(self.profiles) if old.id == profile.id), -1) + 1
        self.profiles = (*self.profiles[:at], copy, *self.profiles[at:])
        if profile.extracted:
            self.notes = (*self.notes, f"Secrets of “{profile.name}” were not copied.")
        self.changed.fire()
        return copy

    def remove(self, profile_id: str) -> Removed | None:
        """Take a server from the list; its secrets and its OAuth grant stay until `aclose`, so that `restore` loses nothing."""
        for index, profile in enumerate(self.profiles):
            if profile.id == profile_id:
                removed = Removed(profile, index)
                self._removed.append(removed)
                self.profiles = (*self.profiles[:index], *self.profiles[index + 1 :])
                self.changed.fire()
                return removed
        return None

    def restore(self, removed: Removed) -> None:
        """Insert a removed server at its former index."""
        if removed in self._removed:
            self._removed.remove(removed)
        at = min(removed.index, len(self.profiles))
        self.profiles = (*self.profiles[:at], removed.profile, *self.profiles[at:])
        self.changed.fire()

    def move(self, profile_id: str, to: int) -> None:
        """Move a server to another index."""
        profile = self.find(profile_id)
        if profile is None:
            return
        rest = [item for item in self.profiles if item.id != profile_id]
        rest.insert(max(0, min(to, len(rest))), profile)
        self.profiles = tuple(rest)
        self.changed.fire()

    def add_notes(self, *notes: str) -> None:
        """Add notes about other files of Spyglass to those about the list of servers."""
        if notes:
            self.notes = (*self.notes, *notes)
            self.changed.fire()

    async def save(self) -> None:
        """Write the current list.

        Raises:
            StorageError: the list or a secret could not be stored; the old file is unchanged.
        """
        async with self._saving:
            notes = await asyncio.to_thread(self._save, self.profiles)
        if notes:
            self.notes = notes
            self.changed.fire()

    def _save(self, profiles: Sequence[Profile]) -> tuple[str, ...]:
        """Store the secrets, then the list (in a thread)."""
        extracted: list[Profile] = []
        values: dict[str, str] = {}
        for profile in profiles:
            kept, secrets = extract_secrets(profile)
            extracted.append(kept)
            values |= secrets
        fresh = {key: value for key, value in values.items() if self._written.get(key) != value}
        note = self._keep(fresh) if fresh else ""
        notes = self._file.save(extracted)
        self._forget_replaced(extracted)
        return (*notes, note) if note else notes

    def _keep(self, values: dict[str, str]) -> str:
        secrets = self._secrets()
        for account, value in values.items():
            secrets.put(account, value)
        self._written |= values
        return secrets.note

    def _forget_replaced(self, profiles: Sequence[Profile]) -> None:
        """Delete secrets that servers of the list had and no longer have."""
        ids = {profile.id for profile in profiles}
        kept = {account for profile in profiles for account in accounts(profile)}
        obsolete = [
            name for name in self._written if name.split("/")[0] in ids and name not in kept
        ]
        with contextlib.suppress(StorageError):  # the list is saved; the next save tries again
            self._forget(obsolete)
            self._written = {
                name: value for name, value in self._written.items() if name not in obsolete
            }

    async def resolve(self, profile: Profile) -> Profile:
        """Return `profile` with its extracted secrets; call this before connecting or editing.

        Raises:
            StorageError: the secrets cannot be read.
        """
        if not profile.extracted:
            return profile
        opened, values = await asyncio.to_thread(self._fetch, profile)
        self._written |= values
        current = self.find(profile.id)
        if current == profile:
            self.profiles = tuple(
                opened if item.id == opened.id else item for item in self.profiles
            )
            self.changed.fire()
        return opened

    def _fetch(self, profile: Profile) -> tuple[Profile, dict[str, str]]:
        return restore_secrets(profile, self._secrets().get)

    async def aclose(self) -> None:
        """Delete the secrets and the OAuth grants of the servers that were removed and not restored."""
        removed, self._removed = [each.profile for each in self._removed], []
        if removed:
            await asyncio.to_thread(self._delete_secrets, removed)

    def _delete_secrets(self, removed: Sequence[Profile]) -> None:
        """Delete what only the removed servers had: grants first, whose URLs may hold a secret."""
        try:
            self._drop_grants(removed)
        finally:
            self._forget([name for profile in removed for name in accounts(profile)])

    def _drop_grants(self, removed: Sequence[Profile]) -> None:
        """Drop the grants of the removed servers, except those that a server of the list uses too: a grant belongs to a URL."""
        urls = {self._grant_url(profile) for profile in removed} - {""}
        if self._grants is None or not urls:
            return
        for url in urls - {self._grant_url(profile) for profile in self.profiles}:
            if grant := self._grants.find(url):
                self._grants.drop(grant)

    def _grant_url(self, profile: Profile) -> str:
        """Return the URL that the grant of a server is stored under; empty for a transport without authorization."""
        if not transport_kind(profile.transport).has_headers:
            return ""
        return canonical((self._fetch(profile)[0] if URL in profile.extracted else profile).url)

    def _forget(self, names: Sequence[str]) -> None:
        for account in names:
            self._secrets().delete(account)
