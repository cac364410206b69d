"""Secrets among the arguments of a program, and in command lines: which parts of the text they are, and the text without them.

A value is secret by the option, variable, header or JSON member before it, by its position in a URL, or because a widespread program takes it for one. An argument may be a command line
itself (`sh -c`), with further ones in quotes; what is found in it is replaced where it stands. Pure; never raises.
"""

from __future__ import annotations

import re
from copy import copy
from itertools import tee
from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct
from inspector.wire.redaction import (
    SCHEME,
    dots,
    has_marker,
    is_placeholder,
    is_secret_name,
    mask_urls,
    secrets_in_urls,
    spans_in_urls,
)
from inspector.wire.secret_options import CommandOptions, is_plain, secret_span
from inspector.wire.shell_tokens import split_json, split_tokens, split_unquoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from inspector.wire.redaction import Hide
    from inspector.wire.secret_options import FoundOption

MAX_NESTED = 4
"""Command lines inside each other whose quotes are read; in those further inside, quotes separate tokens."""

_SWITCHES = frozenset(
    {"no", "without", "disable", "enable", "skip", "require", "allow", "use", "with", "show"}
    | {"list", "print", "verify", "check", "generate", "ignore"}
)
"""First part of an option that has no secret: `--no-auth`."""

_ASSIGNED = re.compile(r"([-/]{0,2}([A-Za-z_][\w.\-]*)=)(.+)", re.DOTALL)
_INNER = r"((?<![\w?&;#.%\[\]-])([A-Za-z_]\w*)=[\"']?)([^\s;&|\"'<>]+)"
_KEY_TEXT = "-----BEGIN "
"""Start of the text of a key or certificate; it looks like an option."""
_OPTION = re.compile(r"--?([A-Za-z][\w.\-]*)")
_HEADER = re.compile(r"[-/]{0,2}([A-Za-z][\w\-]*):[ \t]*(\S.*)", re.DOTALL)
"""A header, or an option whose value follows a colon."""
_MEMBER = r"""(?s)((["'])([\w.\-]+)\2\s*:\s*)(["'])((?:\\.|(?!\4)[^\\])++|(?:(?!\4).)++)\4"""
_SHORT_OPTION = re.compile(r"--|-[A-Za-z]$")
_SPACE = re.compile(r"\s")


class _Secret(FrozenStruct, frozen=True):
    """A part of a text that is not displayed."""

    start: int
    end: int
    hidden: str
    """What is replaced: the part as a program gets it."""
    known: tuple[str, ...]
    """The secrets in it, in each spelling that may be found elsewhere; none if other text has the same without a secret."""


def mask_arguments(
    arguments: Sequence[str],
    hide: Hide = dots,
    *,
    program: str = "",
    before: CommandOptions | None = None,
) -> list[str]:
    """Return the arguments of a program without their secrets, in order; `before` is what was read before these, the program if None."""
    found = _in_each(arguments, MAX_NESTED, before or _read_program(program))
    return [_masked(each, secrets, hide) for each, secrets in zip(arguments, found, strict=True)]


def secrets_in_arguments(arguments: Sequence[str], *, program: str = "") -> tuple[str, ...]:
    """Return the secrets in the arguments of a program."""
    found = _in_each(arguments, MAX_NESTED, _read_program(program))
    return tuple(each for secrets in found for secret in secrets for each in secret.known if each)


def options_before(arguments: Iterable[str], *, program: str = "") -> Iterator[CommandOptions]:
    """Yield what is read of a command before each of its arguments."""
    command = _read_program(program)
    for argument in arguments:
        yield copy(command)
        command.read_argument(argument)


def _read_program(program: str) -> CommandOptions:
    """Return what is read after a program, which may be a command line or have spaces in its path."""
    command = CommandOptions()
    for word in program.split():
        command.read_argument(word)
    return command


def mask_command_line(line: str, hide: Hide = dots) -> str:
    """Return a command line without its secrets."""
    return _masked(line, _in_argument(line, MAX_NESTED, is_script=True), hide)


def secrets_in_command_line(line: str) -> tuple[str, ...]:
    """Return the secrets in a command line."""
    found = _in_argument(line, MAX_NESTED, is_script=True)
    return tuple(each for secret in found for each in secret.known if each)


def _masked(text: str, secrets: Sequence[_Secret], hide: Hide) -> str:
    parts, end = list[str](), 0
    for secret in secrets:
        parts += (text[end : secret.start], hide(secret.hidden))
        end = secret.end
    return mask_urls("".join((*parts, text[end:])), hide)


def _in_each(
    arguments: Iterable[str | None], nested: int, before: CommandOptions
) -> Iterator[list[_Secret]]:
    """Yield the secrets of each argument after those read before; None ends a command."""
    command = copy(before)
    is_value = is_script = False
    for argument in arguments:
        if argument is None:
            command, is_value, is_script = CommandOptions(), False, False
            yield []
            continue
        is_option = _SHORT_OPTION.match(argument) and not argument.startswith(_KEY_TEXT)
        is_value = (is_value or is_secret_name(command.setting)) and not is_option
        expected = () if is_option else command.expected
        is_secret = is_value and not is_placeholder(argument)
        found = command.read_argument(argument, is_secret=is_secret)
        if is_secret:
            is_value = is_script = False
            yield [_whole(argument)] if argument else []
            continue
        joined = (each for each in found if each.start)
        known = _of_options((*expected, *joined), argument)
        option = None if known else _OPTION.fullmatch(argument)
        is_value = option is not None and _takes_secret(option[1])
        yield known or _in_argument(argument, nested, is_script=is_script)
        is_script = command.is_script_option(argument)


def _of_options(options: Iterable[FoundOption], argument: str) -> list[_Secret]:
    """Return the secret in an argument that is or contains the value of options; the longest if it may be of several."""
    found = list[_Secret]()
    for option, begin, is_certain in options:
        span = secret_span(option, argument[begin:])
        if span is None:
            continue
        start, end = begin + span[0], begin + span[1]
        secret = argument[start:end]
        is_common = is_plain(secret)
        if not is_placeholder(secret) and (is_certain or not is_common):
            found.append(_Secret(start, end, secret, () if is_common else (secret,)))
    return [min(found, key=lambda each: each.start - each.end)] if found else []


def _whole(text: str, start: int = 0) -> _Secret:
    """Return the rest of a text as a secret."""
    secret = text[start:]
    return _Secret(start, len(text), secret, (secret,))


def _in_argument(text: str, nested: int, *, is_script: bool = False) -> list[_Secret]:
    """Return the secrets of an argument, in their order; they do not overlap."""
    if not is_script and (assigned := _ASSIGNED.fullmatch(text)):
        if _takes_secret(assigned[2]) and not is_placeholder(assigned[3]):
            return [_whole(text, assigned.start(3))]
        if nested:
            found = _in_argument(assigned[3], nested - 1)
            return [_moved(each, assigned.start(3)) for each in found]
    header = None if is_script else _HEADER.fullmatch(text)
    if header and "://" not in text[: header.end(1) + 3] and is_secret_name(header[1]):
        scheme = SCHEME.match(text, header.start(2))
        bare = text[scheme.end() :].lstrip(" \t") if scheme else header[2]
        return [_whole(text, len(text) - len(bare))] if bare else []
    members = [_part(each, 5) for each in re.finditer(_MEMBER, text) if is_secret_name(each[3])]
    if is_script or _SPACE.search(text):
        return _merged(text, [*members, *_in_tokens(text, nested)])
    inner = [_part(each, 3) for each in re.finditer(_INNER, text) if _is_inner_secret(each)]
    return _merged(text, [*members, *inner, *_in_urls(text)])


def _part(found: re.Match[str], group: int) -> _Secret:
    return _Secret(found.start(group), found.end(group), found[group], (found[group],))


def _moved(secret: _Secret, by: int) -> _Secret:
    return _Secret(secret.start + by, secret.end + by, secret.hidden, secret.known)


def _in_tokens(line: str, nested: int) -> Iterator[_Secret]:
    """Yield the secrets among the tokens of a command line, as in `sh -c`."""
    is_json = line.lstrip().startswith(("{", "["))
    split = split_unquoted if not nested else split_json if is_json else split_tokens
    tokens, read = tee(split(line))
    texts = (None if token.is_operator else token.text for token in read)
    for token, secrets in zip(
        tokens, _in_each(texts, max(0, nested - 1), CommandOptions()), strict=True
    ):
        for secret in secrets:
            start, end = token.span(secret.start, secret.end)
            known = dict.fromkeys((*secret.known, *(_raw(line[start:end], secret))))
            yield _Secret(start, end, secret.hidden, tuple(known))


def _raw(raw: str, secret: _Secret) -> tuple[str, ...]:
    """Return a secret as it stands in the line, where that differs: other shells read backslashes and quotes in other ways."""
    return (raw,) if raw != secret.hidden and secret.hidden in secret.known else ()


def _in_urls(text: str) -> list[_Secret]:
    known = secrets_in_urls(text)
    found = list[_Secret]()
    for start, end in spans_in_urls(text):
        found.append(_Secret(start, end, text[start:end], () if found else known))
    return found


def _merged(text: str, found: Iterable[_Secret]) -> list[_Secret]:
    """Return secrets in their order; those that overlap become one, and what is known of them stays."""
    merged = list[_Secret]()
    for each in sorted(found, key=lambda secret: (secret.start, -secret.end)):
        last = merged[-1] if merged else None
        if last is None or each.start >= last.end:
            merged.append(each)
            continue
        known = tuple(dict.fromkeys((*last.known, *each.known)))
        end = max(last.end, each.end)
        hidden = last.hidden if end == last.end else text[last.start : end]
        merged[-1] = _Secret(last.start, end, hidden, known)
    return merged


def _is_inner_secret(found: re.Match[str]) -> bool:
    """Return whether an assignment inside an argument, as in `--env=API_KEY=…`, assigns a secret."""
    return _takes_secret(found[2]) and not is_placeholder(found[3]) and not has_marker(found[3])


def _takes_secret(option: str) -> bool:
    """Return whether the value of an option is a secret; a switch has no value."""
    return is_secret_name(option) and re.split(r"[-_.]", option)[0].lower() not in _SWITCHES
