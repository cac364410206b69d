"""The list of servers in memory, and its way to the disk.

Changing the list is synchronous and fires `changed`; `save` then writes it from a thread, one write at
a time, the newest state last. Values that look secret never reach the list's file: they go to the
secrets, and come back when `resolve` asks for them.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from inspector.auth.urls import canonical
from inspector.config.names import unique_name
from inspector.config.profile import Profile, new_id, with_
from inspector.config.secret_extraction import URL, accounts, extract_secrets, restore_secrets
from inspector.errors import StorageError
from inspector.event import Event
from inspector.fact import Fact
from inspector.session.transports import transport_kind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inspector.auth.grant import Grants
    from inspector.config.secrets import Secrets
    from inspector.config.servers_file import ServersFile


class Removed(Fact, frozen=True):
    """A server taken from the list, and where it stood."""

    profile: Profile
    """The server."""
    index: int
    """Its place in the list."""


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
        self._open_secrets = open_secrets
        self._grants = grants
        self._secrets: Secrets | None = None
        self._removed: list[Removed] = []
        self._saving = asyncio.Lock()
        self._written: dict[str, str] = {}

    async def load(self) -> None:
        """Read the file, again if need be.

        Raises:
            StorageError: it is there and cannot be opened.
        """
        saved = await asyncio.to_thread(self._file.load)
        self.profiles = saved.profiles
        self.notes = saved.notes
        self.changed.fire()

    def find(self, profile_id: str) -> Profile | None:
        """Return the server of this identity."""
        return next((profile for profile in self.profiles if profile.id == profile_id), None)

    def free_name(self, name: str, *, but: str = "") -> str:
        """Return `name`, numbered if another server than the one with the identity `but` has it."""
        return unique_name(name, {item.name for item in self.profiles if item.id != but})

    def add(self, *profiles: Profile) -> None:
        """Append servers; a name that is taken gets a number."""
        for profile in profiles:
            fresh = with_(profile, name=self.free_name(profile.name))
            self.profiles = (*self.profiles, fresh)
        self.changed.fire()

    def replace(self, profile: Profile) -> None:
        """Put `profile` in the place of the one with its identity; append it if there is none."""
        if self.find(profile.id) is None:
            self.add(profile)
            return
        named = with_(profile, name=self.free_name(profile.name, but=profile.id))
        self.profiles = tuple(named if old.id == profile.id else old for old in self.profiles)
        self.changed.fire()

    def duplicate(self, profile: Profile) -> Profile:
        """Insert a copy behind `profile` and return it.

        A copy of a sealed value is still in its original: `resolve` first to copy secrets too.
        """
        sealed = profile.extracted
        copy = with_(profile, id=new_id(), name=self.free_name(profile.name), extracted=())
        at = next((i for i, old in enumerate(self.profiles) if old.id == profile.id), -1) + 1
        self.profiles = (*self.profiles[:at], copy, *self.profiles[at:])
        if sealed:
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
        """Put a removed server back where it stood."""
        if removed in self._removed:
            self._removed.remove(removed)
        at = min(removed.index, len(self.profiles))
        self.profiles = (*self.profiles[:at], removed.profile, *self.profiles[at:])
        self.changed.fire()

    def move(self, profile_id: str, to: int) -> None:
        """Move a server to another place in the list."""
        profile = self.find(profile_id)
        if profile is None:
            return
        rest = [item for item in self.profiles if item.id != profile_id]
        rest.insert(max(0, min(to, len(rest))), profile)
        self.profiles = tuple(rest)
        self.changed.fire()

    def add_notes(self, *notes: str) -> None:
        """Have the user told of other files of Spyglass, where the notes about the list of servers stand."""
        if notes:
            self.notes = (*self.notes, *notes)
            self.changed.fire()

    async def save(self) -> None:
        """Write the list as it is now.

        Raises:
            StorageError: the list or a secret could not be kept; the old file is as it was.
        """
        async with self._saving:
            notes = await asyncio.to_thread(self._save, self.profiles)
        if notes:
            self.notes = notes
            self.changed.fire()

    def _save(self, profiles: Sequence[Profile]) -> tuple[str, ...]:
        """Keep the secrets, then the list (in a thread)."""
        sealed: list[Profile] = []
        values: dict[str, str] = {}
        for profile in profiles:
            outer, inner = extract_secrets(profile)
            sealed.append(outer)
            values |= inner
        fresh = {key: value for key, value in values.items() if self._written.get(key) != value}
        note = self._keep(fresh) if fresh else ""
        notes = self._file.save(sealed)
        self._forget_replaced(sealed)
        return (*notes, note) if note else notes

    def _keep(self, values: dict[str, str]) -> str:
        secrets = self._get_secrets()
        for account, value in values.items():
            secrets.put(account, value)
        self._written |= values
        return secrets.note

    def _forget_replaced(self, sealed: Sequence[Profile]) -> None:
        """Delete the secrets that the servers of the list had, and have no longer."""
        ids = {profile.id for profile in sealed}
        kept = {account for profile in sealed for account in accounts(profile)}
        gone = [name for name in self._written if name.split("/")[0] in ids and name not in kept]
        with contextlib.suppress(StorageError):  # the list is saved; the next time tries again
            self._forget(gone)
            self._written = {
                name: value for name, value in self._written.items() if name not in gone
            }

    async def resolve(self, profile: Profile) -> Profile:
        """Return `profile` with its sealed values; ask for this before connecting or editing.

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
        return restore_secrets(profile, self._get_secrets().get)

    def _get_secrets(self) -> Secrets:
        if self._secrets is None:
            self._secrets = self._open_secrets()
        return self._secrets

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
            self._get_secrets().delete(account)
