"""Grants and registered clients among the secrets: what authorization keeps from one start to the next.

The keyring of Windows holds some 1,200 characters in a place, and the tokens of one grant may have more: a long text is kept in parts. They
are all written before the first place names them, so that what is read is whole: half a set of tokens would be a logout.

An empty file beside the locks marks each server whose grant is kept: a keyring may ask its user for a password, and is left alone for servers
that need no authorization.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
import secrets
from typing import TYPE_CHECKING

from inspector.auth import grant as grants
from inspector.auth import urls
from inspector.config.atomic_file import write_text
from inspector.config.file_lock import locked
from inspector.config.secrets import KeyringSecrets

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from pathlib import Path

    from keyring.backend import KeyringBackend

    from inspector.auth.client import Client
    from inspector.auth.grant import Grant
    from inspector.config.secrets import Secrets

LOCKS = "locks"
"""The folder of the files that lock grants, among those of Spyglass."""

PART = 1000
"""Characters in one place."""

MAX_PARTS = 200

_IN_PARTS = re.compile(r"parts:([0-9a-f]{16}):(\d{1,3})")


def open_grants(folder: Path, find: Callable[[], KeyringBackend | None]) -> KeptGrants | None:
    """Return the grants in the keyring that `find` finds, locked in `folder`; None where there is no keyring.

    Tokens are written to no file in clear, so that without a keyring they can be kept in memory only. Blocks: call it in a thread.
    """
    backend = find()
    return KeptGrants(KeyringSecrets(backend), folder / LOCKS) if backend is not None else None


class KeptGrants:
    """Keeps grants among secrets. Every method blocks, and raises `StorageError` when the secrets cannot be reached."""

    def __init__(self, kept: Secrets, folder: Path) -> None:
        """Keep them in `kept`; the files that lock and mark them lie in `folder`."""
        self._secrets = kept
        self._folder = folder

    def find(self, server_url: str) -> Grant | None:
        """The grant for a server; None where there is none, or none that can be read."""
        account = _account("grant", urls.canonical(server_url))
        text = self._get(account) if self._mark(account).exists() else None
        return grants.read(text) if text is not None else None

    def put(self, grant: Grant) -> None:
        """Keep a grant in the place of the one that was kept for the server."""
        account = _account("grant", grant.server_url)
        self._put(account, grants.write(grant))
        if not self._mark(account).exists():
            write_text(self._mark(account), "")

    def drop(self, grant: Grant) -> None:
        """Forget a grant, unless another one is kept for the server by now."""
        if grants.is_same(self.find(grant.server_url), grant):
            account = _account("grant", grant.server_url)
            self._delete(account)
            with contextlib.suppress(OSError):  # without its grant a mark does no harm
                self._mark(account).unlink(missing_ok=True)

    @contextlib.contextmanager
    def lock(self, server_url: str) -> Generator[None]:
        """Keep everybody else from renewing the grant for a server, the other processes of the user included."""
        name = _account("grant", urls.canonical(server_url)).rpartition("/")[2]
        with locked(self._folder / f"{name}.lock"):
            yield

    def client(self, issuer: str) -> Client | None:
        """The client that was registered at an authorization server."""
        text = self._get(_account("client", issuer))
        found = grants.read_client(text) if text is not None else None
        return found if found is not None and found.issuer == issuer else None

    def put_client(self, client: Client) -> None:
        """Keep a client for its issuer."""
        self._put(_account("client", client.issuer), grants.write_client(client))

    def drop_client(self, issuer: str) -> None:
        """Forget the client of an issuer."""
        self._delete(_account("client", issuer))

    def _mark(self, account: str) -> Path:
        return self._folder / f"{account.rpartition('/')[2]}.kept"

    def _get(self, account: str) -> str | None:
        first = self._secrets.get(account)
        places = _places(account, first)
        if not places:
            return first
        parts = [self._secrets.get(place) for place in places]
        return "".join(each for each in parts if each is not None) if None not in parts else None

    def _put(self, account: str, text: str) -> None:
        before = _places(account, self._secrets.get(account))
        first, parts = text, list[str]()
        if len(text) > PART:
            parts = [text[at : at + PART] for at in range(0, len(text), PART)]
            first = f"parts:{secrets.token_hex(8)}:{len(parts)}"
        for place, part in zip(_places(account, first), parts, strict=True):
            self._secrets.put(place, part)
        self._secrets.put(account, first)
        for place in before:
            self._secrets.delete(place)

    def _delete(self, account: str) -> None:
        places = _places(account, self._secrets.get(account))
        self._secrets.delete(account)
        for place in places:
            self._secrets.delete(place)


def _account(kind: str, url: str) -> str:
    """Where something about a URL is kept: the name of a place in a keyring is no secret, so that it does not tell which server that is."""
    return f"auth/{kind}/{hashlib.sha256(url.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}"


def _places(account: str, first: str | None) -> list[str]:
    """Where the parts lie of what begins with `first`; none where it is whole."""
    found = _IN_PARTS.fullmatch(first or "")
    if found is None or int(found[2]) > MAX_PARTS:
        return []
    return [f"{account}/{found[1]}/{number}" for number in range(int(found[2]))]
