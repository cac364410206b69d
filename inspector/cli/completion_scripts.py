"""Scripts that complete a command line of `spyglass-cli` in bash, zsh and fish, made from the parsers of the commands.

What stands behind `--` is completed as a command of its own. The names behind `--server` are asked for when they are needed.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from inspector.cli.command import Command

PROGRAM = "spyglass-cli"

SERVER_NAMES = f"{PROGRAM} servers --names 2>/dev/null"
"""The command line that prints the names of the saved servers."""

_FILES = ("FILE", "DIR")


class CompletedOption(FrozenStruct, frozen=True):
    """An option of a command."""

    name: str
    """With its hyphens."""
    text: str
    """What it does."""
    has_value: bool
    """Whether a value follows it."""
    takes_file: bool
    """Whether that is a file or folder."""
    choices: tuple[str, ...]
    """The values that it may have; empty for any."""


class CompletedCommand(FrozenStruct, frozen=True):
    """A command."""

    name: str
    text: str
    """What it does."""
    options: tuple[CompletedOption, ...]


class _Parser(argparse.ArgumentParser):
    """A parser whose options can be listed."""

    def completed_options(self) -> Iterator[CompletedOption]:
        """Yield every option with a name of its own."""
        for action in self._actions:
            if not action.option_strings or action.help == argparse.SUPPRESS:
                continue
            text = str(action.help or "").replace("%%", "%")
            takes_file = action.type is Path or action.metavar in _FILES
            choices = tuple(str(each) for each in action.choices or ())
            name = action.option_strings[-1]
            yield CompletedOption(name, text, action.nargs != 0, takes_file, choices)


def completed_commands(commands: Sequence[Command]) -> list[CompletedCommand]:
    """Return the commands with their options."""
    found: list[CompletedCommand] = []
    for command in commands:
        parser = _Parser(allow_abbrev=False)
        command.load().add_arguments(parser)
        options = tuple(parser.completed_options())
        found.append(CompletedCommand(command.name, command.summary, options))
    return found


def bash_script(commands: Sequence[CompletedCommand]) -> str:
    """Return the script for bash."""
    names = [each.name for each in commands]
    lines = [
        "_spyglass_cli() {",
        '    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command="" options="" i',
        "    COMPREPLY=()",
        "    for ((i = 1; i < COMP_CWORD; i++)); do",
        "        case ${COMP_WORDS[i]} in",
        "            --) compopt -o default; return ;;",
        f"            {'|'.join(names)}) [[ -n $command ]] || command=${{COMP_WORDS[i]}} ;;",
        "        esac",
        "    done",
        "    case $before in",
        f'        --server) local IFS=$\'\\n\'; COMPREPLY=($(compgen -W "$({SERVER_NAMES})" -- "$current")); return ;;',
    ]
    values, files = _values(commands)
    for name, choices in values.items():
        lines.append(
            f'        {name}) COMPREPLY=($(compgen -W "{" ".join(choices)}" -- "$current")); return ;;'
        )
    lines += [
        f"        {'|'.join(files)}) compopt -o default; return ;;",
        "    esac",
        "    case $command in",
        f'        "") options="{" ".join([*names, *_common(commands)])}" ;;',
    ]
    for each in commands:
        options = " ".join(option.name for option in each.options)
        lines.append(f'        {each.name}) options="{options}" ;;')
    lines += [
        "    esac",
        "    if [[ -n $command && $current != -* ]]; then compopt -o default; fi",
        '    COMPREPLY=($(compgen -W "$options" -- "$current"))',
        "}",
        f"complete -F _spyglass_cli {PROGRAM}",
    ]
    return "\n".join(lines)


def zsh_script(commands: Sequence[CompletedCommand]) -> str:
    """Return the script for zsh."""
    lines = [
        f"#compdef {PROGRAM}",
        "_spyglass_cli_servers() {",
        f'    local -a names; names=("${{(@f)$({SERVER_NAMES})}}"); compadd -a names',
        "}",
        "_spyglass_cli() {",
        '    local -a commands; local command="" i',
        "    commands=(",
        *(f"        {_single(f'{each.name}:{each.text}')}" for each in commands),
        "    )",
        "    for ((i = 2; i < CURRENT; i++)); do",
        "        if [[ $words[i] == -- ]]; then",
        "            shift $i words; (( CURRENT -= i )); _normal; return",
        "        fi",
        "        if [[ -z $command && -n ${commands[(r)$words[i]:*]} ]]; then command=$words[i]; fi",
        "    done",
        "    case $command in",
        '        "") _describe command commands ;;',
    ]
    for each in commands:
        specs = " ".join(_zsh_spec(option) for option in each.options)
        lines.append(f"        {each.name}) _arguments {specs} '*:file:_files' ;;")
    lines += ["    esac", "}", f"compdef _spyglass_cli {PROGRAM}"]
    return "\n".join(lines)


def _zsh_spec(option: CompletedOption) -> str:
    text = option.text.replace("[", "(").replace("]", ")").replace(":", " ")
    spec = f"*{option.name}[{text}]"
    if option.name == "--server":
        return _single(f"{spec}:server:_spyglass_cli_servers")
    if option.choices:
        return _single(f"{spec}:value:({' '.join(option.choices)})")
    if option.takes_file:
        return _single(f"{spec}:file:_files")
    return _single(f"{spec}:value:" if option.has_value else spec)


def fish_script(commands: Sequence[CompletedCommand]) -> str:
    """Return the script for fish."""
    none = f"not __fish_seen_subcommand_from {' '.join(each.name for each in commands)}"
    lines: list[str] = []
    for each in commands:
        text = _single(each.text)
        lines.append(f"complete -c {PROGRAM} -f -n {_single(none)} -a {each.name} -d {text}")
        seen = _single(f"__fish_seen_subcommand_from {each.name}")
        for option in each.options:
            name = f"-l {option.name.removeprefix('--')} -d {_single(option.text)}"
            lines.append(f"complete -c {PROGRAM} -n {seen} {name}{_fish_value(option)}")
    return "\n".join(lines)


def _fish_value(option: CompletedOption) -> str:
    if option.name == "--server":
        return f" -x -a {_single(f'({SERVER_NAMES})')}"
    if option.choices:
        return f" -x -a {_single(' '.join(option.choices))}"
    if option.takes_file:
        return " -r -F"
    return " -x" if option.has_value else ""


SCRIPTS: dict[str, Callable[[Sequence[CompletedCommand]], str]] = {
    "bash": bash_script,
    "zsh": zsh_script,
    "fish": fish_script,
}
"""By the name of the shell."""


def _values(commands: Sequence[CompletedCommand]) -> tuple[dict[str, tuple[str, ...]], list[str]]:
    """Return the options with fixed values, and those with any other value."""
    options = {option.name: option for each in commands for option in each.options}
    values = {name: option.choices for name, option in options.items() if option.choices}
    others = [
        name
        for name, option in options.items()
        if option.has_value and not option.choices and name != "--server"
    ]
    return values, others


def _common(commands: Sequence[CompletedCommand]) -> list[str]:
    """Return the options that commands with a session share: they may stand before the command."""
    sets = [{option.name for option in each.options} for each in commands]
    return sorted(
        {name for each in sets for name in each if sum(name in other for other in sets) > 3}
    )


def _single(text: str) -> str:
    """Return a text in single quotes; those within are left out."""
    return "'" + text.replace("'", "") + "'"
