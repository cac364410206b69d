"""The session of one command: its server, its credentials and its recording."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

from inspector.authorizers import authorizer_of, declared
from inspector.cli.server import read_profile
from inspector.cli.stderr_report import print_error
from inspector.config.secrets import secret_values
from inspector.errors import AuthError, ConnectFailed, StorageError
from inspector.frozen import FrozenStruct
from inspector.session.session import Session
from inspector.session.transport_factory import make_transport, transport_kind
from inspector.transcript.redaction import Masking
from inspector.transcript.transcript import Transcript
from inspector.wire.redaction import mask_addresses

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from inspector.cli.access import Credentials
    from inspector.cli.console import Console, Keyboard
    from inspector.cli.options import Options
    from inspector.config.profile import Profile

C = TypeVar("C", bound="Credentials | None")

CredentialsFor: TypeAlias = "Callable[[Profile, Options, Console, Keyboard], Awaitable[C]]"
"""Returns what the requests of a session carry."""


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
        record = _transcript(options)
    except (StorageError, AuthError, ConnectFailed) as error:
        print_error(console, error)
        return None
    for warning in warnings:
        console.err(f"warning: {warning}")
    if not record.redaction.is_on:
        console.err(f"warning: secrets are recorded in clear in {options.record}")
    console.mask = lambda text: Masking(record).text(text)
    return ServerSession(make_session(profile, record, credentials), profile, credentials)


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
    profile: Profile, record: Transcript, credentials: Credentials | None = None
) -> Session:
    """Return a session whose requests carry `credentials`."""
    session = Session(profile, record, partial(make_transport, credentials=credentials))
    record.redaction.know(secret_values(profile))
    if credentials is not None:
        credentials.secrets_found.subscribe(record.redaction.know_more)
    authorizer = authorizer_of(credentials)
    if authorizer is not None:
        session.declare = partial(declared, lambda _: {}, authorizer)
    return session


def _transcript(options: Options) -> Transcript:
    if options.record is None:
        return Transcript()
    title = options.target[0] if options.target else options.server or str(options.config)
    facts = {"title": mask_addresses(title), "started": f"{time.time():.3f}"}
    record = Transcript.create(options.record, facts=facts)
    record.redaction.is_on = not options.record_secrets
    return record
