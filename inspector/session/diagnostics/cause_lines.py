"""The line of an output that names the cause of a failure, with what belongs to it. Pure: lines in, text out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.session.diagnostics.known_mistakes import find_mistake
from inspector.session.diagnostics.server_output import MAX_CHARACTERS
from inspector.visible_text import one_line
from inspector.wire.json_codec import JsonSyntaxError, read

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from inspector.session.diagnostics.known_mistakes import Explanation, Rules

_CAUSE = re.compile(
    r"^(?:(?:unhandled|uncaught) exception\b|[\w.]*(?:error|exception|panic)\b[^\n]*:)|\b(?:error|fatal|panic|exception)\b\s*:|no module named|no such|not found|denied|"
    r"\b(?:cannot|can't|could not|couldn't|failed to|unable to) (?:find|open|read|load|access|connect|resolve|parse|start|locate)\b|"
    r"^[^\S\n]*+(?:\w+\.)*\w*(?:Error|Exception)\b|\bpanicked at\b|^flag provided but not defined|unrecognized arguments?|"
    r"unknown (?:option|flag|command)|^unrecognized option:|^\[unhandledpromiserejection\b|\blibrary not loaded:|\bno required module provides\b|^\[(?:error|fatal)\]|\berror(?: [a-z]{1,4}\d{1,5}|\[e\d{1,5}\]):|"
    r"^npm err(?:or|!) (?!code |syscall |errno |path |dest |cwd |a complete log )\S",
    re.IGNORECASE,
)
_PROGRESS = re.compile(
    r"^unable to find image [^\n]* locally$|^application failed to start$", re.IGNORECASE
)
"""What looks like an error, and says only what is done next, or nothing of the cause."""

_BELOW_ERROR = re.compile(
    r"^(?:[^A-Za-z\n\x1b]++|\x1b\[[\d;]*+m|T(?=\d)|Z\b)*+(?:[\w.]{1,80} - |PHP )?(?:trace|debug|info|notice|warn|warning)\b|"
    r"^[\s\[(]*+(?:\d|[a-z]{3} +\d)(?![^\n]{0,80}\b(?-i:ERROR|ERR|FATAL|CRITICAL|SEVERE|PANIC)\b)"
    r"[^\n]{0,80}?[\s\[|](?-i:TRACE|DEBUG|DBG|INFO|INF|NOTICE|WARN|WARNING|WRN)[\s\]:|]|"
    r"^[^\n]{0,200}?\blevel\"?[=:] ?\"?(?:trace|debug|info|notice|warn|warning)\b",
    re.IGNORECASE,
)
"""The beginning of a log message below the level of errors: the program goes on after it."""

_CONTINUES = re.compile(
    r":$|\boccurred while loading main class \S+$|(\bvalidation errors? for \w+)$"
)
"""The end of a line that the next one belongs to; after that of a validation, the next two."""
_CAUSE_TERMS = (
    *("error", "exception", "panic", "fatal", "denied", "not found", "no such", "no module"),
    *("cannot ", "can't ", "could not ", "couldn't ", "failed to ", "unable to "),
    *("flag provided", "unrecognized ", "unknown ", "npm err"),
    *("library not loaded", "no required module"),
)
"""In each line that `_CAUSE` matches is one of them."""

_FOLDED = re.compile("[\u0130\u0131\u017f\u212a]")
"""Letters outside of ASCII that a search in any case takes for `i`, `s` or `k`."""

_TRACEBACK = re.compile(r"^(?:Exception Group )?Traceback \(most recent call last\):")

_DIRECT = re.compile("The above exception was the direct cause of")
_UNCAUGHT = "(Use `node --trace-uncaught"

_ISSUES = re.compile(r"\bZodError: \[$")

_GROUP = re.compile(r"^\s+(?:\| ?|\+ )")
"""What Python writes before the lines of an exception group."""

_MARKER = re.compile(r"^\s*[\^~]+\s*$")
"""The line after a line of source text that marks a part of it."""

_CHAIN = re.compile(
    r"^\s*(?:caused by:|\[cause\]:|--->|[\u251c\u2570]\u2500\u25b6)\s*(.*)", re.IGNORECASE
)
"""What runtimes write before the error that caused the one above it: Java and Rust, Node.js, .NET, uv."""

_STACK = re.compile(r"^\s*(?:at |from |\.\.\. \d+ more|--- end of )", re.IGNORECASE)
"""A line of a stack trace."""

_NPM = re.compile(r"^npm err(?:or|!) ?", re.IGNORECASE)
_STEP = re.compile(r"^\d+: ")
_NOTE = re.compile(r"^\s*(?:note|tip|help|see|info|usage)\b", re.IGNORECASE)
"""A line after an error that says what may be done in some cases."""

MAX_DETAILS = 60
"""Lines after that of the cause that may belong to it."""

MAX_SEARCHED = 12
"""Those of them that are searched for a mistake: that takes half a millisecond for each."""


def line_that_shows(mistake: Explanation | None, rules: Rules, lines: Sequence[str]) -> str:
    """Return the line that shows this mistake of a table; empty for none, or where the lines after it say more.

    npx names the package before its question, on a line of its own.
    """
    if mistake is None or mistake.name == "npm-prompt":
        return ""
    own = tuple(rule for rule in rules if rule[1] is mistake)
    return line_of_mistake(own, lines)


def line_of_mistake(rules: Iterable[tuple[str, Explanation]], lines: Sequence[str]) -> str:
    """Return the first line that shows a mistake of a table, without white space around it; empty for no such line."""
    at = next((at for at, line in enumerate(lines) if find_mistake(rules, line)), None)
    return "" if at is None else _with_rest(lines, at)


def cause_line(lines: Sequence[str]) -> str:
    """Return the line on stderr that most likely names the cause of an exit, without white space around it; empty for no such line.

    That is the last line of the last Python traceback, otherwise the first line that looks like an error and is no source text, with the next
    one after a colon, and with the root of a chain of causes; a log message below the level of errors only where there is no other.
    """
    lines = [_GROUP.sub("", line) for line in lines]
    tracebacks = [at for at, line in enumerate(lines) if _TRACEBACK.match(line)]
    if tracebacks:
        start = tracebacks[-1] + 1
        at = _end_of_traceback(lines, start)
        if at is None:
            return ""
        cause, root = _with_rest(lines, at), _direct_cause(lines, tracebacks)
        return f"{cause}; caused by: {root}" if root else cause
    at = _first_error(lines)
    if at is None:
        return _thrown_value(lines)
    cause, root = _with_rest(lines, at), _root_cause(lines[at + 1 :])
    return cause if root in cause else f"{cause}; caused by: {root}"


def _end_of_traceback(lines: Sequence[str], start: int) -> int | None:
    """Return the place of the line that ends a traceback; None for one that goes on."""
    ends = (at for at in range(start, len(lines)) if lines[at] and not lines[at][0].isspace())
    return next(ends, None)


def _direct_cause(lines: Sequence[str], tracebacks: Sequence[int]) -> str:
    """Return the first exception of the chain that ends in the last traceback; empty for no chain."""
    first = len(tracebacks) - 1
    while first > 0 and any(map(_DIRECT.match, lines[tracebacks[first - 1] : tracebacks[first]])):
        first -= 1
    at = _end_of_traceback(lines, tracebacks[first] + 1)
    return "" if at is None or first == len(tracebacks) - 1 else _with_rest(lines, at)


def _thrown_value(lines: Sequence[str]) -> str:
    """Return what a program threw that is no error of Node.js; empty for nothing of that kind."""
    at = next((at for at, line in enumerate(lines) if line.startswith(_UNCAUGHT)), 0)
    return lines[at - 1].strip() if at else ""


def details(lines: Sequence[str]) -> list[str]:
    """Return the lines that belong to the first error without a traceback: those after it that are indented, or of npm as well.

    Lines of a stack trace and of source text are left out.
    """
    at = None if any(map(_TRACEBACK.match, lines)) else _first_error(lines)
    if at is None:
        return []
    if _NPM.match(lines[at]):
        more = [_NPM.sub("", line) for line in lines[at : at + MAX_DETAILS] if _NPM.match(line)]
        return more[:MAX_SEARCHED]
    after = list(_belonging(lines[at + 1 :], is_open=True))
    found = [
        line
        for line, following in zip(after, [*after[1:], ""], strict=False)
        if line.strip()
        and not _STACK.match(line)
        and not _NOTE.match(line)
        and not _MARKER.match(following)
    ]
    return found[:MAX_SEARCHED]


def ends_in_error(lines: Sequence[str]) -> bool:
    """Whether nothing follows the first error but what belongs to it, and other errors: then the program may not have gone on."""
    at = _first_error(lines)
    return at is not None and all(
        not line.strip() or line[0].isspace() or _CHAIN.match(line) or is_error_line(line)
        for line in lines[at + 1 :]
    )


def _belonging(lines: Sequence[str], *, is_open: bool = False) -> Iterator[str]:
    """Yield the lines at the beginning that are indented, blank, or name what caused the error above them.

    `is_open`: a line that is none of these belongs to the message as well, before the first blank one.
    """
    for line in lines[:MAX_DETAILS]:
        is_open = is_open and bool(line.strip()) and not is_below_error(line)
        if line and not is_open and not line[0].isspace() and not _CHAIN.match(line):
            return
        yield line


def _root_cause(lines: Sequence[str]) -> str:
    """Return the last error of the chain of causes in the lines after an error; empty for no chain."""
    root, is_open = "", False
    for line in _belonging(lines):
        found, text = _CHAIN.match(line), line.strip()
        if found is not None:
            root, is_open = found.group(1).strip() or root, not found.group(1)
        elif is_open and text and not _STACK.match(line):
            root = _STEP.sub("", text)
    return root


def _first_error(lines: Sequence[str]) -> int | None:
    """Return the place of the first line that looks like an error, if possible of no lower level; None for no such line."""
    first = None
    for at, line in enumerate(lines):
        if not is_error_line(line) or _MARKER.match("".join(lines[at + 1 : at + 2])):
            continue
        if not is_below_error(line):
            return at
        first = at if first is None else first
    return first


def _with_rest(lines: Sequence[str], at: int) -> str:
    """Return a line without white space around it, with those after it that belong to it."""
    line = lines[at].rstrip()
    if _ISSUES.search(line):
        return f"{line.strip()[:-1]}{_issues(lines[at + 1 :])}".strip()
    found = _CONTINUES.search(line)
    more = 0 if found is None else 1 if found.group(1) is None else 2
    after = [each.strip() for each in lines[at + 1 : at + MAX_DETAILS] if each.strip()]
    if any(map(_STACK.match, after[:more])):
        more = 0  # the message is empty
    return " ".join((line.strip(), *after[:more]))


def _issues(lines: Sequence[str]) -> str:
    """Return path and message of the first issue in the JSON that zod prints in lines of its own; empty for anything else."""
    end = next((at for at, line in enumerate(lines[:MAX_DETAILS]) if line.startswith("]")), None)
    try:
        issues = read("\n".join(("[", *lines[:end], "]")).encode()).value
    except JsonSyntaxError:
        return ""
    first = issues[0] if isinstance(issues, list) and issues else None
    if end is None or not isinstance(first, dict):
        return ""
    path, message = first.get("path"), first.get("message")
    names = ".".join(map(str, path)) if isinstance(path, list) else ""
    return one_line(f"{names} {message}", MAX_CHARACTERS) if isinstance(message, str) else ""


def is_error_line(line: str) -> bool:
    """Whether a line on stderr looks like an error."""
    return _may_be_error(line) and _CAUSE.search(line) is not None and not _PROGRESS.match(line)


def is_below_error(line: str) -> bool:
    """Whether a line is a log message of a level below that of errors, which names no cause of an exit for certain."""
    return _BELOW_ERROR.match(line) is not None


def _may_be_error(line: str) -> bool:
    """Whether a line has a word without which it is no error."""
    folded = line.lower()
    return any(word in folded for word in _CAUSE_TERMS) or _FOLDED.search(line) is not None
