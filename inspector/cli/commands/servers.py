"""`servers`: the saved servers, which the window has in its list, or those in a file of another client."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.cli.command import SUCCESS, CommandCode
from inspector.cli.options import add_output_options, add_process_options, add_server_options
from inspector.cli.session_setup import (
    chosen,
    profile_of,
    read_config,
    read_profile,
    saved_servers,
    with_options,
)
from inspector.cli.stderr_report import print_usage_error
from inspector.config.profile import endpoint_text
from inspector.config.servers_file import mcp_json
from inspector.errors import AuthError, StorageError
from inspector.wire import json_codec

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Awaitable, Callable, Sequence

    from inspector.cli.console import Console, Keyboard
    from inspector.cli.options import Options
    from inspector.config.profile import Pairs, Profile
    from inspector.config.server_list import ServerList

    Work = Callable[[ServerList, Options, Console], Awaitable[None]]


def _add_arguments(parser: ArgumentParser) -> None:
    text = (
        "list the servers (the default), of --config FILE if it is given; show one as JSON for other clients, "
        "with secrets masked; add the server after `--` under NAME, or every entry of --config; "
        "edit what the other options and the server after `--` say of one; remove one"
    )
    parser.add_argument("args", nargs="*", metavar="[ACTION [NAME]]", help=text)
    parser.add_argument("--names", action="store_true", help="list the names alone, a line each")
    parser.add_argument("--rename", metavar="NAME", help="with edit: the new name")
    add_output_options(parser)
    add_server_options(parser)
    add_process_options(parser)


async def _list(servers: ServerList, options: Options, console: Console) -> None:
    profiles = await _profiles(servers, options, console)
    if options.names:
        for each in profiles:
            console.out(each.name)
    elif options.json:
        console.out_json(json_codec.read(mcp_json(profiles).encode()).value)
    else:
        console.out_table([(each.name, each.transport, endpoint_text(each)) for each in profiles])
        if not profiles:
            console.err("no servers")


async def _show(servers: ServerList, options: Options, console: Console) -> None:
    profiles = await _profiles(servers, options, console)
    console.out_exact(mcp_json([chosen(profiles, options.args[1], "this list")]))


async def _add(servers: ServerList, options: Options, console: Console) -> None:
    if len(options.args) > 1:
        profile, warnings = await read_profile(options)
        added: Sequence[Profile] = (replace(profile, name=options.args[1]),)
    else:
        assert options.config is not None
        added, warnings = await asyncio.to_thread(read_config, options.config)
    for warning in warnings:
        console.err(f"warning: {warning}")
    before = len(servers.profiles)
    servers.add(*added)
    await servers.save()
    for each in servers.profiles[before:]:
        console.out(f"added “{each.name}”: {endpoint_text(each)}")


async def _edit(servers: ServerList, options: Options, console: Console) -> None:
    profile = await servers.resolve(chosen(servers.profiles, options.args[1], "the saved servers"))
    if options.target:
        made = profile_of(options.target, options.transport)
        changes = {key: getattr(made, key) for key in ("command", "args", "url", "transport")}
        profile = replace(profile, **changes)
    changed = with_options(profile, options)
    changed = replace(
        changed,
        name=options.rename or changed.name,
        env=tuple(dict(changed.env).items()),
        headers=_latest(changed.headers),
    )
    servers.replace(changed)
    await servers.save()
    console.out(f"changed “{changed.name}”: {endpoint_text(changed)}")


def _latest(headers: Pairs) -> Pairs:
    """Return headers without those that a later one of the same name replaces."""
    latest = {name.lower(): (name, value) for name, value in headers}
    return tuple(latest.values())


async def _remove(servers: ServerList, options: Options, console: Console) -> None:
    profile = chosen(servers.profiles, options.args[1], "the saved servers")
    servers.remove(profile.id)
    await servers.save()
    console.out(f"removed “{profile.name}”")


async def _profiles(servers: ServerList, options: Options, console: Console) -> tuple[Profile, ...]:
    """Return the saved servers, or those of `--config`."""
    if options.config is None:
        return servers.profiles
    profiles, warnings = await asyncio.to_thread(read_config, options.config)
    for warning in () if options.names else warnings:
        console.err(f"warning: {warning}")
    return profiles


ACTIONS: dict[str, Work] = {
    "list": _list,
    "show": _show,
    "add": _add,
    "edit": _edit,
    "remove": _remove,
}


def _problem(options: Options) -> str:
    action, *rest = options.args or ("list",)
    if action not in ACTIONS:
        return f"servers takes {', '.join(ACTIONS)}, not {action!r}"
    if action == "add":
        is_import = options.config is not None and not rest and not options.target
        is_one = len(rest) == 1 and (bool(options.target) != bool(options.config or options.server))
        return (
            ""
            if is_import or is_one
            else "write: servers add NAME -- COMMAND, or servers add --config FILE"
        )
    if options.rename and action != "edit":
        return "--rename is for servers edit"
    if options.target and action != "edit":
        return f"servers {action} takes no server after `--`"
    if len(rest) != (action != "list"):
        return f"write: servers {action}{'' if action == 'list' else ' NAME'}"
    return ""


async def _run(options: Options, console: Console, keyboard: Keyboard) -> int:
    """Do what the action says, and return the exit code."""
    del keyboard
    action = options.args[0] if options.args else "list"
    servers = saved_servers(options)
    try:
        await servers.load()
        await ACTIONS[action](servers, options, console)
        for note in servers.notes:
            console.err(f"warning: {note}")
        await servers.aclose()
    except (StorageError, AuthError) as error:
        return print_usage_error(console, error, options)
    return SUCCESS


servers = CommandCode(
    _add_arguments,
    _run,
    (
        "servers",
        "servers --config .vscode/mcp.json --json",
        "servers add calculator -- python server.py",
        "servers add --config claude_desktop_config.json",
        "servers show calculator",
        "servers edit calculator --env LEVEL=debug --rename calc",
        "servers remove calc",
    ),
    (),
    _problem,
)
