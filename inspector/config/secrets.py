"""Values nobody should see: which they are, how they are shown, where they are kept.

The system's keyring is asked first; where there is none, a file for its owner's eyes only serves, and
`note` says so. Everything here blocks (a keyring may even wait for a person to unlock it): call it
from a thread. The real keyring is imported at the first question, never before.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Protocol, TypeVar, cast

from inspector.config.atomic_file import read_text, write_text
from inspector.errors import StorageError
from inspector.wire.jsontext import JsonTextError, read, write
from inspector.wire.secrecy import (
    DOTS,
    SHORTEST_SECRET,
    is_placeholder,
    is_secret_name,
    mask_addresses,
    secrets_in_address,
    secrets_in_arguments,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from keyring.backend import KeyringBackend

    from inspector.config.profile import Profile
    from inspector.wire.jsontext import JsonObject

T = TypeVar("T")

SERVICE = "spyglass-mcp"
"""The name under which the keyring files our secrets."""


def mask_secret(name: str, value: str) -> str:
    """Return `value` as it may be shown; a placeholder such as `${TOKEN}` is no secret."""
    if value and is_secret_name(name) and not is_placeholder(value):
        return DOTS
    return mask_addresses(value)


def secret_values(profile: Profile) -> tuple[str, ...]:
    """The secrets that a profile gives to its server, to be hidden wherever they come back."""
    found: list[str] = []
    for name, value in (*profile.env, *profile.headers):
        if is_secret_name(name) and not is_placeholder(value):
            found += [value, value.partition(" ")[2]]
        found += secrets_in_address(value)
    found += secrets_in_arguments(profile.args)
    found += secrets_in_arguments(profile.authorization.token_command)
    found += [each for each in profile.authorization.secrets if not is_placeholder(each)]
    found += [*secrets_in_address(profile.url), *secrets_in_address(profile.proxy)]
    return tuple(dict.fromkeys(value for value in found if len(value) >= SHORTEST_SECRET))


class Secrets(Protocol):
    """A place for secrets. Every method blocks."""

    @property
    def note(self) -> str:
        """Words on where the secrets lie, if that is worth knowing."""
        ...

    def get(self, account: str) -> str | None:
        """Return a secret; None if there is none."""
        ...

    def put(self, account: str, value: str) -> None:
        """Keep a secret."""
        ...

    def delete(self, account: str) -> None:
        """Forget a secret; one that is not there is no fault."""
        ...


class MemorySecrets:
    """Keeps secrets for as long as the process lives. For tests and demonstrations."""

    def __init__(self) -> None:
        """Start empty."""
        self.note = ""
        self.kept: dict[str, str] = {}

    def get(self, account: str) -> str | None:
        """Return a secret; None if there is none."""
        return self.kept.get(account)

    def put(self, account: str, value: str) -> None:
        """Keep a secret."""
        self.kept[account] = value

    def delete(self, account: str) -> None:
        """Forget a secret."""
        self.kept.pop(account, None)


class LateSecrets:
    """Secrets whose keyring is opened when the first of them is asked for, by whichever thread that is."""

    def __init__(self, open_secrets: Callable[[], Secrets]) -> None:
        """Remember how they are opened."""
        self._open = open_secrets
        self._opened: Secrets | None = None
        self._lock = threading.Lock()

    @property
    def note(self) -> str:
        """Words on where the secrets lie, if that is worth knowing."""
        return self._secrets().note

    def get(self, account: str) -> str | None:
        """Return a secret; None if there is none."""
        return self._secrets().get(account)

    def put(self, account: str, value: str) -> None:
        """Keep a secret."""
        self._secrets().put(account, value)

    def delete(self, account: str) -> None:
        """Forget a secret."""
        self._secrets().delete(account)

    def _secrets(self) -> Secrets:
        with self._lock:
            if self._opened is None:
                self._opened = self._open()
            return self._opened


class FileSecrets:
    """Keeps secrets in a file that only its owner may read (mode 0600)."""

    def __init__(self, folder: Path) -> None:
        """Remember the folder; nothing is read yet."""
        self.path = folder / "secrets.json"

    @property
    def note(self) -> str:
        """Words on where the secrets lie."""
        return f"No system keyring available. Secrets are stored in {self.path} (readable only by you)."

    def get(self, account: str) -> str | None:
        """Return a secret; None if there is none."""
        value = self._all().get(account)
        return value if isinstance(value, str) else None

    def put(self, account: str, value: str) -> None:
        """Keep a secret."""
        self._write(self._all() | {account: value})

    def delete(self, account: str) -> None:
        """Forget a secret."""
        kept = self._all()
        if kept.pop(account, None) is not None:
            self._write(kept)

    def _all(self) -> JsonObject:
        try:
            value = read((read_text(self.path) or "{}").encode()).value
        except JsonTextError as error:
            words = f"{self.path} is not valid JSON: {error}"
            raise StorageError(words, remedy="Fix or rename the file.") from error
        return value if isinstance(value, dict) else {}

    def _write(self, kept: JsonObject) -> None:
        write_text(self.path, write(kept, indent=2) + "\n")


class _Setter(Protocol):
    def set_password(self, service: str, username: str, password: str) -> None: ...


class KeyringSecrets:
    """Keeps secrets in a keyring backend of the library of that name."""

    note = ""

    def __init__(self, backend: KeyringBackend) -> None:
        """Use this backend and no other."""
        self._backend = backend

    def get(self, account: str) -> str | None:
        """Return a secret; None if there is none."""
        return self._try("read", lambda: self._backend.get_password(SERVICE, account))

    def put(self, account: str, value: str) -> None:
        """Keep a secret."""
        backend = cast("_Setter", self._backend)  # its own decorator hides the types
        self._try("write", lambda: backend.set_password(SERVICE, account, value))

    def delete(self, account: str) -> None:
        """Forget a secret."""
        if self.get(account) is not None:
            self._try("delete", lambda: self._backend.delete_password(SERVICE, account))

    @staticmethod
    def _try(verb: str, ask: Callable[[], T]) -> T:
        from keyring.errors import KeyringError  # late: nobody may need it

        try:
            return ask()
        except KeyringError as error:
            words = f"The system keyring could not {verb} a secret: {error}"
            raise StorageError(words, remedy="Unlock the keyring and try again.") from error


def open_secrets(folder: Path, find: Callable[[], KeyringBackend | None]) -> Secrets:
    """Return the keyring that `find` finds, or the private file in `folder` if it finds none."""
    backend = find()
    return KeyringSecrets(backend) if backend is not None else FileSecrets(folder)


def keyring_or_memory(find: Callable[[], KeyringBackend | None]) -> Secrets:
    """Return the keyring that `find` finds; without one, secrets that live as long as the process: tokens are written to no file in clear."""
    backend = find()
    return KeyringSecrets(backend) if backend is not None else MemorySecrets()


def system_keyring() -> KeyringBackend | None:
    """Return the keyring of this desktop; None if there is none that can keep a secret.

    One that writes plain text, or asks for a password on the terminal, is none.
    """
    import keyring  # late: it looks for backends, which takes a while
    from keyring.errors import KeyringError

    try:
        backend = keyring.get_keyring()
        usable = float(backend.priority) > 0 and not _is_plain(backend)
    except (KeyringError, RuntimeError, OSError):
        return None
    return backend if usable else None


def _is_plain(backend: KeyringBackend) -> bool:
    """Whether a keyring is one of those that `keyrings.alt` brings, or asks such a one first."""
    chained = cast("list[KeyringBackend]", getattr(backend, "backends", ()))
    first = next(iter(chained), backend)
    return type(first).__module__.startswith("keyrings.alt")
