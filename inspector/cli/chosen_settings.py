"""Authorization settings for one command: options of the command line over the saved settings."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.auth.settings import Settings, Waiver, Way
from inspector.errors import AuthError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from inspector.cli.auth_options import AuthOptions

MAX_KEY_BYTES = 100_000
"""Larger files are not private keys."""


def chosen_settings(
    options: AuthOptions, saved: Settings, environ: Mapping[str, str] = os.environ
) -> Settings:
    """Return the settings that hold for one command.

    Raises:
        AuthError: a variable or a file that holds a secret cannot be read.
    """
    secret = _value(environ, options.secret_variable)
    _value(environ, options.token_variable)  # fails before the first request
    changed = replace(
        saved,
        way=_way(options, saved),
        token_variable=options.token_variable or saved.token_variable,
        token_command=options.token_command or saved.token_command,
        client_auth=options.client_auth or saved.client_auth,
        client_metadata_url=options.client_document or saved.client_metadata_url,
        initial_access_token=_value(environ, options.initial_token_variable)
        or saved.initial_access_token,
        scopes=options.scopes or saved.scopes,
        waivers=saved.waivers | frozenset(map(Waiver, options.accepted)),
        callback_port=options.callback_port or saved.callback_port,
    )
    if options.resource is not None:
        changed = replace(changed, resource=options.resource, sends_resource=bool(options.resource))
    if options.client_id:  # another client has another secret
        key = _key(options.key_file) if options.key_file is not None else ""
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
    if options.token_variable:
        return Way.VARIABLE
    if options.token_command:
        return Way.COMMAND
    return Way.CLIENT_CREDENTIALS if options.uses_client_credentials else saved.way


def _value(environ: Mapping[str, str], name: str) -> str:
    """The value of a variable; empty if `name` is empty."""
    value = environ.get(name, "").strip() if name else ""
    if name and not value:
        what = "is empty" if name in environ else "is not set"
        raise AuthError(f"the environment variable {name} {what}")
    return value


def _key(file: Path) -> str:
    """The text of a file with a private key."""
    try:
        with file.open("rb") as opened:
            raw = opened.read(MAX_KEY_BYTES + 1)
    except OSError as error:
        raise AuthError(f"cannot read {file}: {error.strerror}") from error
    if len(raw) > MAX_KEY_BYTES:
        raise AuthError(f"{file} is too large for a private key")
    return raw.decode("utf-8", "replace")
