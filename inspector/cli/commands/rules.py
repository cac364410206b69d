"""`rules`: the rules that findings name; for one of them why it matters, what to change, and what the specification says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.checks.catalog import CATALOG
from inspector.cli.command import SUCCESS, USAGE, CommandCode
from inspector.cli.options import add_output_options
from inspector.json_value import Json
from inspector.spec.findings import rule_link
from inspector.spec.revision import REVISIONS

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from inspector.cli.console import Console, Keyboard
    from inspector.cli.options import Options
    from inspector.json_value import JsonObject
    from inspector.rules import Rule


def _add_arguments(parser: ArgumentParser) -> None:
    text = "a rule, such as L-JR-24; without one, every rule is listed"
    parser.add_argument("args", nargs="*", metavar="ID", help=text)
    add_output_options(parser)


async def _run(options: Options, console: Console, keyboard: Keyboard) -> int:
    """Print the title of every rule, or title and link of those on the command line."""
    del keyboard
    ids = [each if each in CATALOG else each.upper() for each in options.args]
    unknown = [each for each, id_ in zip(options.args, ids, strict=True) if id_ not in CATALOG]
    if unknown:
        console.err(f"no rule “{unknown[0]}”; spyglass-cli rules lists all of them")
        return USAGE
    chosen = [CATALOG[each] for each in ids or sorted(CATALOG)]
    if options.json:
        console.out_json([_to_json(rule) for rule in chosen])
    elif ids:
        for rule in chosen:
            _print(rule, console)
    else:
        console.out_table([(rule.id, rule.severity.name.lower(), rule.title) for rule in chosen])
    return SUCCESS


def _print(rule: Rule, console: Console) -> None:
    """Print what is known of a rule."""
    console.out(f"{rule.id} {rule.severity.name.lower()} {rule.title}")
    rows = [
        ("Family", rule.family.title),
        ("Why", rule.why),
        ("Change", rule.hint),
        ("Python SDK", rule.python),
        ("TypeScript SDK", rule.typescript),
        ("Level", rule.level_text),
        ("Revisions", ", ".join(_revisions(rule))),
        ("Transports", ", ".join(sorted(rule.transports))),
        ("Decided", rule.kind.value),
        ("Specification", rule_link(rule)),
    ]
    console.out_table([row for row in rows if row[1]], "  ")


def _to_json(rule: Rule) -> JsonObject:
    return {
        "rule": rule.id,
        "severity": rule.severity.name.lower(),
        "title": rule.title,
        "link": rule_link(rule),
        "family": rule.family.key,
        "why": rule.why,
        "hint": rule.hint,
        "python": rule.python,
        "typescript": rule.typescript,
        "level": rule.level,
        "revisions": list[Json](_revisions(rule)),
        "transports": list[Json](sorted(rule.transports)),
        "kind": rule.kind.value,
    }


def _revisions(rule: Rule) -> list[str]:
    """Return the dates of the revisions that a rule is about."""
    return [str(each.date) for each in REVISIONS if rule.since <= each.number <= rule.until]


rules = CommandCode(_add_arguments, _run, ("rules", "rules L-JR-23", "rules --json"))
