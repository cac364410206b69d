"""Access of one command to a protected server: a token from outside, a client of its own, or a saved login.

Logins are saved in the system keyring, which the window reads too; no token is written to a file.
"""

from __future__ import annotations

import asyncio
import webbrowser
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from inspector.auth import urls
from inspector.auth.authorizer import Authorizer
from inspector.auth.browser import LoginPageCheck, LoopbackListener
from inspector.auth.grant import Access, MemoryGrants
from inspector.auth.settings import Way
from inspector.auth.user_agent import do_nothing
from inspector.authorizers import make_credentials
from inspector.cli.session_setup import folder_of
from inspector.config.authorization import settings_of
from inspector.config.saved_grants import LOCKS, SavedGrants, open_grants
from inspector.config.secrets import keyring_or_memory, system_keyring
from inspector.errors import AuthError, StorageError
from inspector.event import Event
from inspector.session.transport_factory import http_address, transport_kind
from inspector.transport.http.credentials import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from inspector.auth.client import Client
    from inspector.auth.grant import Grant, Grants
    from inspector.auth.settings import Settings
    from inspector.auth.supplied_token import SuppliedToken
    from inspector.auth.user_agent import Sender, UserAgent
    from inspector.cli.auth_options import AuthOptions
    from inspector.cli.console import Console, Keyboard
    from inspector.cli.options import Options
    from inspector.config.profile import Profile
    from inspector.config.secrets import Secrets
    from inspector.transport.base import Sink
    from inspector.transport.http.credentials import Refusal

Credentials: TypeAlias = "Authorizer | SuppliedToken | FirstRefusal"

FROM_OUTSIDE = {Way.VARIABLE, Way.COMMAND}
"""Ways without an authorization server."""

NO_KEYRING = "there is no system keyring for the login, and tokens are not written to files"
_WITHOUT_KEYRING = "Add --no-browser to the command that needs a token: it logs in for itself. Or pass a token with --token-env VAR."


async def credentials_for(
    profile: Profile, options: Options, console: Console, keyboard: Keyboard
) -> Credentials | None:
    """Return what the requests of a session carry; None if there is no token and no login.

    Raises:
        AuthError: the options cannot be used with this server.
        ConnectFailed: the URL cannot be used.
    """
    settings = settings_of(profile)
    if options.auth.is_from_outside:
        _require_tokens(profile, settings)
    elif settings.way is Way.NONE:
        return None
    if settings.way in FROM_OUTSIDE or options.auth.client_credentials:
        return _make(profile, Access(settings, MemoryGrants()))
    kept, grant = await _kept_grant(profile, options, console)
    if settings.way is not Way.CODE:
        return _make(profile, Access(settings, kept))
    if options.auth.no_browser:
        agent = partial(_terminal_agent, console, keyboard, settings, options)
        return _make(profile, Access(settings, kept, agent))
    return _make(profile, Access(settings, kept)) if grant is not None else None


async def first_refusal_for(
    profile: Profile, options: Options, console: Console, keyboard: Keyboard
) -> FirstRefusal:
    """Return credentials that send nothing, for `auth`.

    Raises:
        AuthError: the server takes no token.
    """
    del keyboard
    _require_tokens(profile, settings_of(profile))
    return FirstRefusal((await _kept_grant(profile, options, console))[1])


async def login_for(
    profile: Profile, options: Options, console: Console, keyboard: Keyboard
) -> Authorizer:
    """Return what gets a new token for `login`.

    Raises:
        AuthError: the server takes no token, or there is no keyring.
        ConnectFailed: the URL cannot be used.
    """
    settings = _require_login(profile)
    names_client = bool(options.auth.client_metadata_url)  # which wins over one that was registered
    make = partial(NewLogin, with_kept_client=not names_client)
    grants = await asyncio.to_thread(open_grants, folder_of(options), system_keyring, make)
    if grants is None:
        raise AuthError(NO_KEYRING, hint=_WITHOUT_KEYRING)
    agent = partial(_terminal_agent, console, keyboard, settings, options)
    return _authorizer(profile, Access(settings, grants, agent))


async def saved_login_for(
    profile: Profile, options: Options, console: Console, keyboard: Keyboard
) -> Authorizer:
    """Return what holds the saved login, for `logout`.

    Raises:
        AuthError: the server takes no token.
        ConnectFailed: the URL cannot be used.
    """
    del console, keyboard
    settings = _require_login(profile)
    kept = await asyncio.to_thread(open_grants, folder_of(options), system_keyring)
    return _authorizer(profile, Access(settings, kept or MemoryGrants()))


def _require_tokens(profile: Profile, settings: Settings) -> None:
    if not transport_kind(profile.transport).has_headers:
        raise AuthError(
            f"a server over {profile.transport} takes no access token of MCP",
            hint="Pass credentials with --env, or as arguments of the command.",
        )
    if settings.way is Way.NONE:
        reason = "the header Authorization replaces every token"
        raise AuthError(reason, hint="Leave it out.")


def _require_login(profile: Profile) -> Settings:
    settings = settings_of(profile)
    _require_tokens(profile, settings)
    if settings.way in FROM_OUTSIDE:
        reason = "the token of this server comes from a variable or a command; it has no login"
        raise AuthError(reason)
    return settings


def _make(profile: Profile, access: Access) -> Authorizer | SuppliedToken:
    return make_credentials(profile, http_address(profile), access)


def _authorizer(profile: Profile, access: Access) -> Authorizer:
    made = _make(profile, access)
    assert isinstance(made, Authorizer)  # a token from outside is rejected before
    return made


def _terminal_agent(
    console: Console, keyboard: Keyboard, settings: Settings, options: Options, sender: Sender
) -> UserAgent:
    return LoginPageCheck(TerminalAgent(console, keyboard, settings, options.auth), sender)


async def _kept_grant(
    profile: Profile, options: Options, console: Console
) -> tuple[Grants, Grant | None]:
    """Return the saved logins, and the one for the server of `profile`; None if it is missing or cannot be read.

    Opening a keyring takes half a second and may prompt for a password: it stays closed if no login is saved.
    """
    kept = SavedGrants(lambda: keyring_or_memory(system_keyring), folder_of(options) / LOCKS)
    try:
        return kept, await asyncio.to_thread(kept.find, profile.url)
    except StorageError as error:
        console.err(f"warning: logins cannot be read: {error.reason}")
        return MemoryGrants(), None


class FirstRefusal:
    """Sends nothing; keeps the first response that refused a request."""

    def __init__(self, grant: Grant | None) -> None:
        """Start without a refusal; `grant` is the saved login of the server, which is not used."""
        self.grant = grant
        """The saved login."""
        self.secrets_found: Event[tuple[str, ...]] = Event()
        """Fired with secret values, before they are recorded."""
        self.refusal: Refusal | None = None
        """The first 401 or 403; None if there was no refusal."""

    def attach(self, sink: Sink) -> None:
        """Nothing is exchanged."""

    async def headers(self, verb: str, url: str) -> tuple[tuple[str, str], ...]:
        """Return no header."""
        del verb, url
        return ()

    def accepted(
        self, sent: tuple[tuple[str, str], ...], headers: tuple[tuple[str, str], ...]
    ) -> None:
        """Nothing was sent."""

    async def refused(self, refusal: Refusal) -> Outcome:
        """Keep the first refusal, and leave the response as it is."""
        self.refusal = self.refusal or refusal
        return Outcome()


class NewLogin(SavedGrants):
    """Saved grants without the earlier login: a user who logs in again requests another token."""

    def __init__(
        self, open_secrets: Callable[[], Secrets], folder: Path, *, with_kept_client: bool = True
    ) -> None:
        """Save everything in what `open_secrets` returns; without `with_kept_client`, earlier registered clients are not found."""
        super().__init__(open_secrets, folder)
        self._with_kept_client = with_kept_client
        self._has_new = False

    def find(self, server_url: str) -> Grant | None:
        """Return the grant for a server, once there is a new one."""
        return super().find(server_url) if self._has_new else None

    def put(self, grant: Grant) -> None:
        """Save a grant."""
        self._has_new = True
        super().put(grant)

    def client(self, issuer: str) -> Client | None:
        """Return the client that was registered at an authorization server."""
        return super().client(issuer) if self._with_kept_client else None


class TerminalAgent:
    """Logs in from a terminal: the full URL is printed before anything opens it, and the callback comes from the browser or is pasted.

    Source: RFC 8252, section 7.3; basic/authorization, "Authorization Server Security".
    """

    def __init__(
        self, console: Console, keyboard: Keyboard, settings: Settings, options: AuthOptions
    ) -> None:
        """Print on `console`, read from `keyboard`, and use the callback of `settings` and the browser options of `options`."""
        self._console = console
        self._keyboard = keyboard
        self._options = options
        self._listener = LoopbackListener(
            self._show, host=settings.callback_host, port=settings.callback_port
        )

    async def start(self) -> str:
        """Listen on this machine and return the redirect URI.

        Raises:
            AuthError: the port is taken.
        """
        return await self._listener.start()

    async def visit(self, url: str, on_page_ready: Callable[[], object] = do_nothing) -> str:
        """Let the user log in at `url` and return the URL of the callback; `on_page_ready` is called when the URL is printed.

        Raises:
            AuthError: no callback came in time.
        """
        failure: AuthError | None = None
        callback = ""
        async with asyncio.TaskGroup() as group:
            reading = group.create_task(self._read(url))
            try:
                callback = await self._listener.visit(url, on_page_ready)
            except AuthError as error:  # a task group would wrap it
                failure = error
            finally:
                reading.cancel()
        if failure is not None:
            raise failure
        return callback

    def paste(self, url: str) -> str:
        """Use the URL that a browser elsewhere was redirected to; returns why it cannot be used, or an empty string."""
        return self._listener.paste(url)

    async def stop(self) -> None:
        """Stop listening."""
        await self._listener.stop()

    async def _show(self, url: str) -> None:
        """Print the URL of the login, and open it if the options say so."""
        # The URL holds the state of this login: without it the callback would be refused.
        self._console.err(f"Log in at {host_of(url)}:\n\n{url}\n", with_secrets=True)
        if self._options.yes:
            await self._open(url)
        elif self._keyboard.is_terminal and not self._options.no_browser:
            self._console.err(
                "Press Enter to open this URL in your browser, or open it yourself. If the browser is on another machine, "
                "paste the URL that it was redirected to."
            )
        else:
            self._console.err(
                "Open this URL in a browser. If that is on another machine, paste the URL that it was redirected to:"
            )
        self._console.flush()

    async def _read(self, url: str) -> None:
        """Read what the user types: a redirect URL, or Enter."""
        may_open = self._keyboard.is_terminal and not self._options.no_browser
        async for line in self._keyboard.lines():
            text = line.strip()
            if text:
                problem = self._listener.paste(text)
                if problem:
                    self._console.err(f"{problem}; paste the whole URL")
            elif may_open:
                await self._open(url)

    async def _open(self, url: str) -> None:
        try:
            is_open = await asyncio.to_thread(webbrowser.open, url)
        except webbrowser.Error:
            is_open = False
        if not is_open:
            self._console.err("No browser could be opened. Open the URL yourself.")


def host_of(url: str) -> str:
    """Return host and port of a URL as they are sent: letters of other scripts that look like Latin ones are encoded."""
    parts = urls.split(url)
    if parts is None or parts.hostname is None:
        return url
    try:
        host = parts.hostname.encode("idna").decode("ascii")
    except UnicodeError:
        host = parts.hostname
    return f"{host}:{parts.port}" if parts.port else host
