"""Grants and registered clients among the secrets: what authorization stores from one start to the next.

The keyring of Windows holds some 1,200 characters per account, and the tokens of a grant may have more: a long text is stored in parts. The
main account is written after all parts, so that a reader never gets half a set of tokens, which would be a logout.

An empty file beside the locks marks each server with a stored grant: a keyring may prompt for a password, and is not opened for servers that
need no authorization. What reads a grant is imported when there is one, for the same reason.
"""

from __future__ import annotations

import contextlib
import re
from typing import TYPE_CHECKING

from inspector.auth import urls
from inspector.config.atomic_file import locked, write_text
from inspector.config.secrets import KeyringSecrets, LateSecrets

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from pathlib import Path

    from keyring.backend import KeyringBackend

    from inspector.auth.client import Client
    from inspector.auth.grant import Grant
    from inspector.config.secrets import Secrets

LOCKS = "locks"
"""The folder of the lock files, inside the folder of Spyglass."""

_MARK = ".kept"
"""The ending of the file that marks a server with a grant."""

PART = 1000
"""Characters in one account."""

MAX_PARTS = 200

_IN_PARTS = re.compile(r"parts:([0-9a-f]{16}):(\d{1,3})")


class SavedGrants:
    """Stores grants among secrets. Every method blocks, and raises `StorageError` when the secrets cannot be reached."""

    def __init__(self, open_secrets: Callable[[], Secrets], folder: Path) -> None:
        """Store them in what `open_secrets` returns, opened when it is needed; lock and mark files are in `folder`."""
        self._secrets = LateSecrets(open_secrets)
        self._folder = folder

    def find(self, server_url: str) -> Grant | None:
        """Return the grant for a server; None if it has none, or the grant cannot be read."""
        account = _account("grant", urls.canonical(server_url))
        text = self._get(account) if self._mark(account).exists() else None
        if text is None:
            return None
        from inspector.auth import grant as grants

        return grants.read(text)

    def all(self) -> list[Grant]:
        """Return every grant that is stored and can be read, by server."""
        marks = sorted(self._folder.glob(f"*{_MARK}"))
        if not marks:
            return []
        from inspector.auth import grant as grants

        texts = [self._get(f"{_account_prefix('grant')}{mark.stem}") for mark in marks]
        found = [grants.read(text) for text in texts if text is not None]
        return sorted(
            (each for each in found if each is not None), key=lambda each: each.server_url
        )

    def put(self, grant: Grant) -> None:
        """Store a grant, replacing the one of the same server."""
        from inspector.auth import grant as grants

        account = _account("grant", grant.server_url)
        self._put(account, grants.write(grant))
        if not self._mark(account).exists():
            write_text(self._mark(account), "")

    def drop(self, grant: Grant) -> None:
        """Delete a grant, unless a newer one is stored for the server."""
        from inspector.auth import grant as grants

        if grants.is_same(self.find(grant.server_url), grant):
            account = _account("grant", grant.server_url)
            self._delete(account)
            with contextlib.suppress(OSError):  # a mark without a grant does no harm
                self._mark(account).unlink(missing_ok=True)

    @contextlib.contextmanager
    def lock(self, server_url: str) -> Generator[None]:
        """Hold the lock that renewing the grant of a server requires, in all processes of the user."""
        name = _account("grant", urls.canonical(server_url)).rpartition("/")[2]
        with locked(self._folder / f"{name}.lock"):
            yield

    def client(self, issuer: str) -> Client | None:
        """Return the client that was registered at an authorization server."""
        text = self._get(_account("client", issuer))
        if text is None:
            return None
        from inspector.auth import grant as grants

        found = grants.read_client(text)
        return found if found is not None and found.issuer == issuer else None

    def put_client(self, client: Client) -> None:
        """Store a client for its issuer."""
        from inspector.auth import grant as grants

        self._put(_account("client", client.issuer), grants.write_client(client))

    def drop_client(self, issuer: str) -> None:
        """Delete the client of an issuer."""
        self._delete(_account("client", issuer))

    def _mark(self, account: str) -> Path:
        return self._folder / f"{account.rpartition('/')[2]}{_MARK}"

    def _get(self, account: str) -> str | None:
        main = self._secrets().get(account)
        accounts = _part_accounts(account, main)
        if not accounts:
            return main
        parts = [self._secrets().get(part) for part in accounts]
        return "".join(each for each in parts if each is not None) if None not in parts else None

    def _put(self, account: str, text: str) -> None:
        before = _part_accounts(account, self._secrets().get(account))
        main, parts = text, list[str]()
        if len(text) > PART:
            parts = [text[at : at + PART] for at in range(0, len(text), PART)]
            import secrets

            main = f"parts:{secrets.token_hex(8)}:{len(parts)}"
        for part_account, part in zip(_part_accounts(account, main), parts, strict=True):
            self._secrets().put(part_account, part)
        self._secrets().put(account, main)
        for part_account in before:
            self._secrets().delete(part_account)

    def _delete(self, account: str) -> None:
        accounts = _part_accounts(account, self._secrets().get(account))
        self._secrets().delete(account)
        for part_account in accounts:
            self._secrets().delete(part_account)


def open_grants(
    folder: Path,
    find: Callable[[], KeyringBackend | None],
    make: Callable[[Callable[[], Secrets], Path], SavedGrants] = SavedGrants,
) -> SavedGrants | None:
    """Return the grants in the keyring that `find` finds, locked in `folder`; None without a keyring.

    Tokens are never written to a file in clear; without a keyring they stay in memory. Blocks: call it in a thread.
    """
    backend = find()
    if backend is None:
        return None
    return make(lambda: KeyringSecrets(backend), folder / LOCKS)


def _account(kind: str, url: str) -> str:
    """Return the account for a URL, as a hash: the names of accounts in a keyring are not secret."""
    import hashlib  # with the first account

    return f"{_account_prefix(kind)}{hashlib.sha256(url.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}"


def _account_prefix(kind: str) -> str:
    return f"auth/{kind}/"


def _part_accounts(account: str, main: str | None) -> list[str]:
    """Return the accounts of the parts if `main`, the text of the main account, names some; else empty."""
    found = _IN_PARTS.fullmatch(main or "")
    if found is None or int(found[2]) > MAX_PARTS:
        return []
    return [f"{account}/{found[1]}/{number}" for number in range(int(found[2]))]
