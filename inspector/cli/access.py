"""What lets one command in to a protected server: a token from outside, a client of its own, or the login that is kept.

Logins lie in the system keyring, where the window finds them too. Without a keyring nothing is kept: tokens are written to no file.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeAlias

from inspector.auth.authorizer import Authorizer
from inspector.auth.first_look import LookingFirst
from inspector.auth.grant import Access, MemoryGrants
from inspector.auth.settings import Way
from inspector.auth.supplied_token import SuppliedToken
from inspector.authorizers import make_credentials
from inspector.cli.auth_options import AUTH_TASKS
from inspector.cli.first_refusal import FirstRefusal
from inspector.cli.new_login import NewLogin
from inspector.cli.server import folder_of
from inspector.cli.terminal_agent import TerminalAgent
from inspector.config.authorization import OVER_HTTP, settings_of
from inspector.config.kept_grants import LOCKS, KeptGrants, open_grants
from inspector.config.secrets import LateSecrets, keyring_or_memory, system_keyring
from inspector.errors import AuthError, StorageError
from inspector.session.transports import http_address

if TYPE_CHECKING:
    from inspector.auth.grant import Grant, Grants
    from inspector.auth.settings import Settings
    from inspector.auth.user_agent import Sender, UserAgent
    from inspector.cli.console import Console
    from inspector.cli.keyboard import Keyboard
    from inspector.cli.options import Options
    from inspector.config.profile import Profile

Credentials: TypeAlias = Authorizer | SuppliedToken | FirstRefusal

FROM_OUTSIDE = {Way.VARIABLE, Way.COMMAND}
"""Ways without an authorization server."""

NO_KEYRING = "there is no system keyring to keep a login in, and tokens are written to no file"
_WITHOUT_KEYRING = "Add --no-browser to the command that needs a token: it logs in for itself. Or pass a token with --token-env VAR."


async def credentials_for(
    profile: Profile, options: Options, console: Console, keyboard: Keyboard
) -> Credentials | None:
    """Return what the requests of a command carry; None where nothing is known that would let it in.

    Raises:
        AuthError: the command cannot be done with this server, or there is no keyring.
        StorageError: the keyring cannot be read, and the command is about what it holds.
        ConnectFailed: the URL cannot be used.
    """
    settings = settings_of(profile)
    is_about_access = options.command in AUTH_TASKS or options.auth.is_from_outside
    if profile.transport not in OVER_HTTP and is_about_access:
        raise AuthError(
            f"a server over {profile.transport} takes no access token of MCP",
            remedy="Pass credentials with --env, or as arguments of the command.",
        )
    if settings.way is Way.NONE:
        if is_about_access:
            words = "the header Authorization takes the place of every token"
            raise AuthError(words, remedy="Leave it out.")
        return None
    if options.command == "auth":
        return FirstRefusal((await _kept_grant(profile, options, console))[1])
    access = await _access(
        profile, settings, options, _Terminal(console, keyboard, settings, options)
    )
    return None if access is None else make_credentials(profile, http_address(profile), access)


class _Terminal:
    """Makes what the user logs in with."""

    def __init__(
        self, console: Console, keyboard: Keyboard, settings: Settings, options: Options
    ) -> None:
        self.console, self._keyboard = console, keyboard
        self._settings, self._options = settings, options

    def make(self, sender: Sender) -> UserAgent:
        agent = TerminalAgent(self.console, self._keyboard, self._settings, self._options.auth)
        return LookingFirst(agent, sender)


async def _access(
    profile: Profile, settings: Settings, options: Options, terminal: _Terminal
) -> Access | None:
    """How the server of `profile` is accessed; None where there is no login, and nobody is to log in."""
    if options.command in AUTH_TASKS:
        return await _access_to_keyring(settings, options, terminal)
    if settings.way in FROM_OUTSIDE or options.auth.uses_client_credentials:
        return Access(settings, MemoryGrants())
    kept, grant = await _kept_grant(profile, options, terminal.console)
    if settings.way is not Way.CODE:
        return Access(settings, kept)
    if options.auth.uses_no_browser:
        return Access(settings, kept, terminal.make)
    return Access(settings, kept) if grant is not None else None


async def _kept_grant(
    profile: Profile, options: Options, console: Console
) -> tuple[Grants, Grant | None]:
    """Return where logins are kept, and the one for the server of `profile`; None where there is none, or none that can be read.

    Opening a keyring takes half a second, and may ask for a password: it is left alone where no login is kept.
    """
    late = LateSecrets(lambda: keyring_or_memory(system_keyring))
    kept = KeptGrants(late, folder_of(options) / LOCKS)
    try:
        return kept, await asyncio.to_thread(kept.find, profile.url)
    except StorageError as error:
        console.err(f"warning: logins cannot be read: {error.words}")
        return MemoryGrants(), None


async def _access_to_keyring(settings: Settings, options: Options, terminal: _Terminal) -> Access:
    """For `login` and `logout`."""
    if settings.way in FROM_OUTSIDE:
        words = "the token of this server comes from a variable or a command: no login is kept"
        raise AuthError(words)
    kept = await _kept(options)
    if options.command == "logout":
        return Access(settings, kept or MemoryGrants())
    if kept is None:
        raise AuthError(NO_KEYRING, remedy=_WITHOUT_KEYRING)
    names_client = bool(options.auth.client_document)  # which wins over one that was registered
    return Access(settings, NewLogin(kept, with_kept_client=not names_client), terminal.make)


async def _kept(options: Options) -> KeptGrants | None:
    return await asyncio.to_thread(open_grants, folder_of(options), system_keyring)
