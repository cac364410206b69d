"""The session of one command: the server that the command line names, with the options over it, its credentials and its recording."""

from __future__ import annotations

import asyncio
import codecs
import os
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

from msgspec.structs import replace

from inspector.auth.settings import Settings, Waiver, Way
from inspector.authorizers import authorizer_of, declared
from inspector.cli.stderr_report import print_usage_error
from inspector.config.fill_placeholders import fill_placeholders
from inspector.config.importers.paste import import_text
from inspector.config.importers.result import NotRecognized
from inspector.config.importers.server_entry import is_url
from inspector.config.profile import Profile
from inspector.config.profile_warnings import token_command
from inspector.config.secrets import open_secrets, secret_values, system_keyring
from inspector.config.server_list import ServerList
from inspector.config.servers_file import ServersFile
from inspector.errors import AuthError, ConnectFailed, StorageError
from inspector.frozen import FrozenStruct
from inspector.session.session import Session
from inspector.session.transport_factory import guess_transport, make_transport, transport_kind
from inspector.transcript.redaction import Masking
from inspector.transcript.transcript import Transcript
from inspector.wire.redaction import mask_urls

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from inspector.cli.access import Credentials
    from inspector.cli.auth_options import AuthOptions
    from inspector.cli.console import Console, Keyboard
    from inspector.cli.options import Options

C = TypeVar("C", bound="Credentials | None")

CredentialsFor: TypeAlias = "Callable[[Profile, Options, Console, Keyboard], Awaitable[C]]"
"""Returns what the requests of a session carry."""


MAX_CONFIG_BYTES = 1_000_000
"""Larger files are not configurations of servers."""

MAX_KEY_BYTES = 100_000
"""Larger files are not private keys."""

MIN_TOTAL_TIMEOUT_S = 600.0
"""The total limit of a request, unless `--timeout` is above it."""


class ServerSession(FrozenStruct, Generic[C], frozen=True):
    """A session that is not connected yet."""

    session: Session
    profile: Profile
    credentials: C
    """What its requests carry."""


async def set_up_session(
    credentials_for: CredentialsFor[C], options: Options, console: Console, keyboard: Keyboard
) -> ServerSession[C] | None:
    """Return the session of a command; None if it cannot be made, which is printed then."""
    try:
        profile, warnings = await read_profile(options)
        credentials = await credentials_for(profile, options, console, keyboard)
        prepare = _client_profile(options, console)
        transcript = _transcript(options)
    except (StorageError, AuthError, ConnectFailed) as error:
        print_usage_error(console, error, options)
        return None
    for warning in warnings:
        console.err(f"warning: {warning}")
    if not transcript.redaction.is_on:
        console.err(f"warning: secrets are recorded in clear in {options.record}")
    console.mask = lambda text: Masking(transcript).text(text)
    session = make_session(profile, transcript, credentials)
    prepare(session)
    return ServerSession(session, profile, credentials)


def _client_profile(options: Options, console: Console) -> Callable[[Session], None]:
    """Return what gives a session the client of a command line.

    Raises:
        StorageError: a file or an option cannot be used.
    """
    client = options.client
    if client.is_empty and not options.needs_tasks:
        return lambda _: None
    from inspector.cli.client_profile import (
        prepare,
    )  # a command that declares nothing starts faster

    return prepare(client, console, with_tasks=options.needs_tasks)


async def session_credentials(
    profile: Profile, options: Options, console: Console, keyboard: Keyboard
) -> Credentials | None:
    """Return what the requests of a session carry; None if they carry nothing.

    Raises:
        AuthError: the options cannot be used with this server.
        ConnectFailed: the URL cannot be used.
    """
    if not transport_kind(profile.transport).has_headers and not options.auth.is_from_outside:
        return None
    from inspector.cli.access import credentials_for  # a server that is a program starts faster

    return await credentials_for(profile, options, console, keyboard)


def make_session(
    profile: Profile, transcript: Transcript, credentials: Credentials | None = None
) -> Session:
    """Return a session whose requests carry `credentials`."""
    session = Session(profile, transcript, partial(make_transport, credentials=credentials))
    transcript.redaction.know(secret_values(profile))
    if credentials is not None:
        credentials.secrets_found.subscribe(transcript.redaction.know_more)
    authorizer = authorizer_of(credentials)
    if authorizer is not None:
        session.declare = partial(declared, lambda _: {}, authorizer)
    return session


def _transcript(options: Options) -> Transcript:
    if options.record is None:
        return Transcript()
    title = options.target[0] if options.target else options.server or str(options.config)
    facts = {"title": mask_urls(title), "started": f"{time.time():.3f}"}
    transcript = Transcript.create(options.record, facts=facts)
    transcript.redaction.is_on = not options.record_secrets
    return transcript


async def read_profile(options: Options) -> tuple[Profile, tuple[str, ...]]:
    """Return how to reach the server, and warnings about its entry.

    Raises:
        StorageError: the file of `--config` cannot be read, or there is no server of that name.
        AuthError: a variable or a file that holds a secret cannot be read.
    """
    if options.target:
        return with_options(profile_of(options.target, options.transport), options), ()
    if options.config is None:
        return with_options(await _saved(options), options), ()
    profiles, warnings = await asyncio.to_thread(read_config, options.config)
    entry = chosen(profiles, options.server, str(options.config))
    others = tuple(f"{each.name}: " for each in profiles if each.name != entry.name)
    warnings = tuple(each for each in warnings if not each.startswith(others))
    entry, warnings = _filled(entry, warnings, fills=options.fill)
    command = token_command(entry)
    if command and not options.auth.is_from_outside:
        warnings = (*warnings, f"the entry runs a program to get the access token: {command}")
    return with_options(entry, options), warnings


def _filled(
    profile: Profile, warnings: tuple[str, ...], *, fills: bool
) -> tuple[Profile, tuple[str, ...]]:
    """Return the profile filled from the environment if it `fills`, and the warnings."""
    filling = fill_placeholders(profile, os.environ)
    names = ", ".join(filling.filled)
    if not names:
        return profile, warnings
    if not fills:
        return profile, (*warnings, f"--fill takes from the environment: {names}")
    rest = [each for each in warnings if not any(name in each for name in filling.filled)]
    return filling.profile, (f"taken from the environment: {names}", *rest)


def profile_of(command: Sequence[str], transport: str | None) -> Profile:
    """Return how to reach the server that stands after `--`."""
    first, *rest = command
    url = first.strip()
    if is_url(url) and not rest:
        return Profile(name=url, url=url, transport=transport or guess_transport(url))
    return Profile(name=first, command=first, args=tuple(rest))


def read_config(file: Path) -> tuple[tuple[Profile, ...], tuple[str, ...]]:
    """Return the servers in a file of any client, and warnings about them. Blocks.

    Raises:
        StorageError: it cannot be read, or names no server.
    """
    try:
        if not file.is_file():
            raise StorageError(f"{file} is not a file")
        if file.stat().st_size > MAX_CONFIG_BYTES:
            raise StorageError(f"{file} is too large for a configuration of servers")
        raw = file.read_bytes()
        is_wide = raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        text = raw.decode("utf-16" if is_wide else "utf-8-sig")
    except UnicodeDecodeError as error:
        name = "UTF-16" if error.encoding.startswith("utf-16") else "UTF-8"
        raise StorageError(f"{file} is not encoded in {name} (byte {error.start})") from error
    except OSError as error:
        raise StorageError(f"cannot read {file}: {error}") from error
    if not text.strip():
        raise StorageError(f"{file} is empty")
    reading = import_text(text)
    if isinstance(reading, NotRecognized):
        raise StorageError(f"{file} names no server: {reading.reason}")
    return reading.profiles, reading.warnings


async def _saved(options: Options) -> Profile:
    server_list = saved_servers(options)
    try:
        await server_list.load()
        profile = chosen(server_list.profiles, options.server, "the saved servers")
        return await server_list.resolve(profile)
    finally:
        await server_list.aclose()


def saved_servers(options: Options) -> ServerList:
    """Return the list of the saved servers, not loaded yet."""
    folder = folder_of(options)
    return ServerList(ServersFile(folder), lambda: open_secrets(folder, system_keyring))


def folder_of(options: Options) -> Path:
    """Return the folder with the saved servers and the locks of logins."""
    import platformdirs  # the commands that need no folder start faster without it

    return options.folder or Path(platformdirs.user_config_dir("spyglass", appauthor=False))


def chosen(profiles: Sequence[Profile], name: str, where: str) -> Profile:
    """Return the server of that name, or the only one without a name; `where` names the list.

    Raises:
        StorageError: no server matches, or several do.
    """
    if not name and len(profiles) == 1:
        return profiles[0]
    found = [profile for profile in profiles if profile.name == name]
    if len(found) == 1:
        return found[0]
    names = ", ".join(f"“{profile.name}”" for profile in profiles[:20]) or "(none)"
    hint = f"Name one with --server. It has {names}."
    reason = f"there is no server “{name}” in {where}" if name else f"which server of {where}?"
    raise StorageError(reason, hint=hint)


def with_options(profile: Profile, options: Options) -> Profile:
    """Return a profile with the options of the command line applied."""
    timeout = options.timeout_s or profile.timeout_seconds
    return replace(
        profile,
        env=(*profile.env, *options.env),
        headers=(*profile.headers, *options.headers),
        cwd=options.cwd or profile.cwd,
        revision=options.revision or profile.revision,
        verify=profile.verify and not options.insecure,
        ca_file=options.ca_file or profile.ca_file,
        client_cert=options.client_cert or profile.client_cert,
        proxy=options.proxy or profile.proxy,
        authorization=_settings(options.auth, profile.authorization),
        transport=options.transport or profile.transport,
        timeout_seconds=timeout,
        total_timeout_seconds=max(timeout, MIN_TOTAL_TIMEOUT_S, profile.total_timeout_seconds),
    )


def _settings(
    options: AuthOptions, saved: Settings, environ: Mapping[str, str] = os.environ
) -> Settings:
    """Return the authorization settings of one command: its options over those that are saved.

    Raises:
        AuthError: a variable or a file that holds a secret cannot be read.
    """
    secret = _value(environ, options.client_secret_env)
    _value(environ, options.token_env)  # fails before the first request
    changed = replace(
        saved,
        way=_way(options, saved),
        token_variable=options.token_env or saved.token_variable,
        token_command=options.token_command or saved.token_command,
        client_auth=options.client_auth or saved.client_auth,
        client_metadata_url=options.client_metadata_url or saved.client_metadata_url,
        initial_access_token=_value(environ, options.initial_access_token_env)
        or saved.initial_access_token,
        scopes=options.scopes or saved.scopes,
        waivers=saved.waivers | frozenset(map(Waiver, options.accepted)),
        callback_port=options.callback_port or saved.callback_port,
    )
    if options.resource is not None:
        changed = replace(changed, resource=options.resource, sends_resource=bool(options.resource))
    if options.client_id:  # another client has another secret
        key = _key(options.client_key) if options.client_key is not None else ""
        changed = replace(
            changed,
            client_id=options.client_id,
            client_secret=secret,
            private_key=key,
            signing_algorithm=_algorithm(key) if key else changed.signing_algorithm,
            client_issuer="",
        )
    if changed.way is Way.CLIENT_CREDENTIALS and not (
        changed.client_id and (changed.client_secret or changed.private_key)
    ):
        raise AuthError(
            "client credentials need the id of a client and its secret or key",
            hint="Pass --client-id ID with --client-secret-env VAR or --client-key FILE.",
        )
    return changed


def _algorithm(key: str) -> str:
    from inspector.auth.signing import algorithm_for  # it brings a library of cryptography

    return algorithm_for(key)


def _way(options: AuthOptions, saved: Settings) -> Way:
    if options.token_env:
        return Way.VARIABLE
    if options.token_command:
        return Way.COMMAND
    return Way.CLIENT_CREDENTIALS if options.client_credentials else saved.way


def _value(environ: Mapping[str, str], name: str) -> str:
    """Return the value of a variable; empty if `name` is empty."""
    value = environ.get(name, "").strip() if name else ""
    if name and not value:
        what = "is empty" if name in environ else "is not set"
        raise AuthError(f"the environment variable {name} {what}")
    return value


def _key(file: Path) -> str:
    """Return the text of a file with a private key."""
    try:
        with file.open("rb") as opened:
            raw = opened.read(MAX_KEY_BYTES + 1)
    except OSError as error:
        raise AuthError(f"cannot read {file}: {error.strerror}") from error
    if len(raw) > MAX_KEY_BYTES:
        raise AuthError(f"{file} is too large for a private key")
    return raw.decode("utf-8", "replace")
