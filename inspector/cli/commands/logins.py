"""`logins`: which logins are saved, without their tokens; `logout` ends one."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.cli.command import SUCCESS, CommandCode
from inspector.cli.options import add_output_options
from inspector.cli.session_setup import folder_of
from inspector.cli.stderr_report import print_usage_error
from inspector.config.saved_grants import open_grants
from inspector.config.secrets import system_keyring
from inspector.errors import StorageError
from inspector.wire.redaction import mask_urls

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from inspector.auth.grant import Grant
    from inspector.cli.console import Console, Keyboard
    from inspector.cli.options import Options


def _add_arguments(parser: ArgumentParser) -> None:
    add_output_options(parser)
    text = "folder with the saved servers"
    parser.add_argument("--folder", type=Path, metavar="DIR", help=text)


async def _run(options: Options, console: Console, keyboard: Keyboard) -> int:
    """Print the saved logins."""
    del keyboard
    from inspector.cli.access import NO_KEYRING  # a tenth of a second, for this command alone
    from inspector.cli.auth_report import login_to_json, print_login

    try:
        found = await asyncio.to_thread(_saved, folder_of(options))
    except StorageError as error:
        return print_usage_error(console, error, options)
    if found is None:
        console.err(NO_KEYRING)
    if options.json:
        console.out_json({"logins": [login_to_json(each) for each in found or ()]})
        return SUCCESS
    for each in found or ():
        console.out(mask_urls(each.server_url))
        print_login(console, each)
    if not found:
        console.err("no logins")
    return SUCCESS


def _saved(folder: Path) -> list[Grant] | None:
    grants = open_grants(folder, system_keyring)
    return None if grants is None else grants.all()


logins = CommandCode(_add_arguments, _run, ("logins", "logins --json"))
