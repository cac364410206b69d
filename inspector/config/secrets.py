"""Secret values: which they are, how they are masked, where they are stored.

They are stored in the keyring of the system; without one, in a file that only its owner can read, and `note` says so. Every method blocks (a
keyring may wait for the user to unlock it): call it in a thread. The keyring is imported when it is first used.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeVar, cast

from inspector.background_tasks import IMPORTING
from inspector.config.atomic_file import read_text, write_text
from inspector.errors import StorageError
from inspector.wire.argument_secrets import secrets_in_arguments, secrets_in_command_line
from inspector.wire.json_codec import JsonSyntaxError, read, write
from inspector.wire.redaction import (
    MASK,
    MIN_SECRET_CHARS,
    is_placeholder,
    is_secret_name,
    mask_urls,
    secrets_in_urls,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from keyring.backend import KeyringBackend

    from inspector.config.profile import Profile
    from inspector.wire.json_codec import JsonObject

T = TypeVar("T")

SERVICE = "spyglass-mcp"
"""The service name of Spyglass in a keyring."""


def mask_secret(name: str, value: str) -> str:
    """Return `value` with secrets masked; a placeholder such as `${TOKEN}` is not a secret."""
    if value and is_secret_name(name) and not is_placeholder(value):
        return MASK
    return mask_urls(value)


def secret_values(profile: Profile) -> tuple[str, ...]:
    """Return the secrets that a profile sends to its server, to be masked in everything that the server sends."""
    found: list[str] = []
    for name, value in (*profile.env, *profile.headers):
        if is_secret_name(name) and not is_placeholder(value):
            found += [value, value.partition(" ")[2]]
        found += secrets_in_urls(value)
    found += secrets_in_command_line(profile.command)
    found += secrets_in_arguments(profile.args, program=profile.command)
    found += secrets_in_arguments(profile.authorization.token_command)
    found += [each for each in profile.authorization.secrets if not is_placeholder(each)]
    found += [*secrets_in_urls(profile.url), *secrets_in_urls(profile.proxy)]
    return tuple(dict.fromkeys(value for value in found if len(value) >= MIN_SECRET_CHARS))


class MemorySecrets:
    """Stores secrets as long as the process runs."""

    note = ""
    """Where the secrets are, if the user has to know; else empty."""

    def __init__(self) -> None:
        """Start empty."""
        self.kept: dict[str, str] = {}

    def get(self, account: str) -> str | None:
        """Return a secret; None for an unknown account."""
        return self.kept.get(account)

    def put(self, account: str, value: str) -> None:
        """Store a secret."""
        self.kept[account] = value

    def delete(self, account: str) -> None:
        """Delete a secret."""
        self.kept.pop(account, None)


class FileSecrets:
    """Stores secrets in a file that only its owner can read (mode 0600)."""

    def __init__(self, folder: Path) -> None:
        """Use `folder`; nothing is read yet."""
        self.path = folder / "secrets.json"

    @property
    def note(self) -> str:
        """Where the secrets are."""
        return f"No system keyring available. Secrets are stored in {self.path} (readable only by you)."

    def get(self, account: str) -> str | None:
        """Return a secret; None for an unknown account."""
        value = self._all().get(account)
        return value if isinstance(value, str) else None

    def put(self, account: str, value: str) -> None:
        """Store a secret."""
        self._write(self._all() | {account: value})

    def delete(self, account: str) -> None:
        """Delete a secret."""
        kept = self._all()
        if kept.pop(account, None) is not None:
            self._write(kept)

    def _all(self) -> JsonObject:
        try:
            value = read((read_text(self.path) or "{}").encode()).value
        except JsonSyntaxError as error:
            reason = f"{self.path} is not valid JSON: {error}"
            raise StorageError(reason, hint="Fix or rename the file.") from error
        return value if isinstance(value, dict) else {}

    def _write(self, kept: JsonObject) -> None:
        write_text(self.path, write(kept, indent=2) + "\n")


class _Setter(Protocol):
    def set_password(self, service: str, username: str, password: str) -> None: ...


class KeyringSecrets:
    """Stores secrets in a backend of the `keyring` library."""

    note = ""

    def __init__(self, backend: KeyringBackend) -> None:
        """Use only this backend."""
        self._backend = backend

    def get(self, account: str) -> str | None:
        """Return a secret; None for an unknown account."""
        return self._try("read", lambda: self._backend.get_password(SERVICE, account))

    def put(self, account: str, value: str) -> None:
        """Store a secret."""
        backend = cast("_Setter", self._backend)  # a decorator of keyring hides the types
        self._try("write", lambda: backend.set_password(SERVICE, account, value))

    def delete(self, account: str) -> None:
        """Delete a secret."""
        if self.get(account) is not None:
            self._try("delete", lambda: self._backend.delete_password(SERVICE, account))

    @staticmethod
    def _try(verb: str, access: Callable[[], T]) -> T:
        from keyring.errors import KeyringError  # imported here: most sessions need no keyring

        try:
            return access()
        except KeyringError as error:
            reason = f"The system keyring could not {verb} a secret: {error}"
            raise StorageError(reason, hint="Unlock the keyring and try again.") from error


Secrets: TypeAlias = MemorySecrets | FileSecrets | KeyringSecrets
"""Stores secrets. Every method blocks; `note` is where they are, if the user has to know."""


class LateSecrets:
    """Opens secrets at the first call, in the thread of the caller, and returns the same ones from then on."""

    def __init__(self, open_secrets: Callable[[], Secrets]) -> None:
        """`open_secrets` is called once."""
        self._open = open_secrets
        self._opened: Secrets | None = None
        self._lock = threading.Lock()

    def __call__(self) -> Secrets:
        """Return the secrets."""
        with self._lock:
            if self._opened is None:
                self._opened = self._open()
            return self._opened


def open_secrets(folder: Path, find: Callable[[], KeyringBackend | None]) -> Secrets:
    """Return the keyring that `find` finds, or the private file in `folder` if it finds none."""
    backend = find()
    return KeyringSecrets(backend) if backend is not None else FileSecrets(folder)


def keyring_or_memory(find: Callable[[], KeyringBackend | None]) -> Secrets:
    """Return the keyring that `find` finds; without one, memory: tokens are never written to a file in clear."""
    backend = find()
    return KeyringSecrets(backend) if backend is not None else MemorySecrets()


def system_keyring() -> KeyringBackend | None:
    """Return the keyring of the desktop; None without one that can store a secret.

    A keyring that stores plain text or prompts on the terminal is not used.
    """
    with IMPORTING:  # in a thread
        import keyring  # imported here: it searches for backends, which takes time
        from keyring.errors import KeyringError

    try:
        backend = keyring.get_keyring()
        usable = float(backend.priority) > 0 and not _is_plain(backend)
    except (KeyringError, RuntimeError, OSError):
        return None
    return backend if usable else None


def _is_plain(backend: KeyringBackend) -> bool:
    """Whether a keyring is one of `keyrings.alt`, or a chain that starts with one."""
    chained = cast("list[KeyringBackend]", getattr(backend, "backends", ()))
    preferred = next(iter(chained), backend)
    return type(preferred).__module__.startswith("keyrings.alt")
