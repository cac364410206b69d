"""`rules`: the rules that findings name, with the part of the specification that each is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.cli.command import SUCCESS, USAGE, CommandCode
from inspector.cli.options import add_output_options
from inspector.rules import RULES
from inspector.spec import spec_urls

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from inspector.cli.console import Console, Keyboard
    from inspector.cli.options import Options
    from inspector.rules import Rule


def _add_arguments(parser: ArgumentParser) -> None:
    text = "a rule, such as L-JR-24; without one, every rule is listed"
    parser.add_argument("args", nargs="*", metavar="ID", help=text)
    add_output_options(parser)


async def _run(options: Options, console: Console, keyboard: Keyboard) -> int:
    """Print the title of every rule, or title and link of those on the command line."""
    del keyboard
    ids = [each if each in RULES else each.upper() for each in options.args]
    unknown = [each for each, id_ in zip(options.args, ids, strict=True) if id_ not in RULES]
    if unknown:
        console.err(f"no rule “{unknown[0]}”; spyglass-cli rules lists all of them")
        return USAGE
    rows = [_row(RULES[each]) for each in ids or sorted(RULES)]
    if options.json:
        members = ("rule", "severity", "title", "link")
        console.out_json([{**dict(zip(members, row, strict=True))} for row in rows])
    else:
        console.out_table([row if ids else row[:3] for row in rows])
    return SUCCESS


def _row(rule: Rule) -> tuple[str, str, str, str]:
    """Return id, severity, title, and the link to the specification; empty without one."""
    link = spec_urls.link(rule.subject) if rule.subject else ""
    return rule.id, rule.severity.name.lower(), rule.title, link


rules = CommandCode(_add_arguments, _run, ("rules", "rules L-JR-23", "rules --json"))
