"""Well-known mistakes, recognized by what a server writes. Pure: text in, the mistake with a hint out.

Every table is a tuple for `find_mistake`: of the mistakes that match, the one that comes first in the table is found.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


SOURCE_HINT = "Add the file or module of the server to the arguments."


class Explanation(FrozenStruct, frozen=True):
    """Why something failed."""

    text: str
    """The reason, as a clause: `this is an HTML page`."""
    hint: str
    """What to do about it."""
    frame: int = 0
    """The frame that shows it; 0 for no frame."""
    name: str = ""
    """The short name of a well-known mistake, such as `missing-module`; empty for another reason."""


Rules: TypeAlias = tuple[tuple[str, Explanation], ...]
"""Pattern and what it means; compiled when a server failed, which takes as long as importing five modules."""


VARIABLE = "(?-i:[A-Z][A-Z0-9]*_[A-Z0-9_]+)"
"""The name of a variable of the environment, in a pattern that ignores case; one without an underscore may be any word."""


def mistake_rule(name: str, pattern: str, text: str, hint: str) -> tuple[str, Explanation]:
    """Return a row of such a table."""
    return pattern, Explanation(text, hint, name=name)


ENCODING: Rules = (
    mistake_rule(
        "encoded-twice",
        r'\A\s*"\s*\{\s*\\"',
        "a message is encoded as JSON twice: it is a string that holds JSON",
        "Call the JSON encoder once for each message.",
    ),
    mistake_rule(
        "bare-result",
        r'\A\s*\{\s*"(?:protocolVersion|serverInfo|capabilities|tools|content)":',
        "a result has no JSON-RPC envelope",
        "Put the result into the member `result` of an object with `jsonrpc` and the `id` of the request.",
    ),
    mistake_rule(
        "python-repr",
        r"^[^\S\n]*+\{'(?:jsonrpc|id|result|method|error)':",
        "this is a Python dict, not JSON",
        "Write messages with json.dumps(), not with print() or repr() of a dict.",
    ),
)
"""Wrong encodings of messages, on any channel."""

FRAMING: Rules = (
    mistake_rule(
        "header-framing",
        r"(?:^|\})content-length:\s*\d+",
        "messages have `Content-Length` headers, as in the Language Server Protocol",
        "Write each message as one line of JSON: MCP over stdio has no headers.",
    ),
    mistake_rule(
        "event-stream",
        r"^(?:event: ?\w+|data: ?\{)",
        "messages are wrapped in the events of an HTTP stream (`data:`)",
        "Write each message as one line of JSON: MCP over stdio has no events.",
    ),
    mistake_rule(
        "http-response",
        r"\AHTTP/[\d.]+ \d{3}\b",
        "messages are wrapped in HTTP responses",
        "Write each message as one line of JSON, or let the server listen on a port and connect to its URL.",
    ),
    mistake_rule(
        "interpreter-echo",
        r"^[^\S\n]*+\{'jsonrpc': '2\.0', 'id': \d+, 'method': '(?:server/discover|initialize)'",
        "an interactive interpreter evaluates the messages",
        "Add the file or module of the server to the arguments.",
    ),
    mistake_rule(
        "utf-16",
        r"\A\s*(?:\ufffd\ufffd)?(?:\{\0\s*\0?|\0\{\0)",
        "messages are encoded in UTF-16",
        "Write messages in UTF-8.",
    ),
    mistake_rule(
        "several-lines",
        r"\A\s*\{\s*\n[^\0]{0,400}?\"(?:jsonrpc|id|result|method)\"\s*:",
        "one message is spread over several lines",
        "Write each message on one line, without indentation.",
    ),
    mistake_rule(
        "html",
        r"^[^\S\n]*+<(?:!doctype\s+)?html",
        "this is an HTML page",
        "Check that the command starts an MCP server.",
    ),
    *ENCODING,
)
"""What may be on stdout instead of messages; for the whole output from its beginning."""

ENDINGS: Rules = (
    mistake_rule(
        "length-prefix",
        r"\A\0{1,3}[^\0{]{1,3}\{",
        "messages begin with their length in binary",
        "Write each message as one line of JSON, without its length before it.",
    ),
    mistake_rule(
        "carriage-return",
        r"\}\r(?!\n)",
        "messages end with a carriage return (CR)",
        "End each message with a newline (LF).",
    ),
    mistake_rule(
        "nul", r"\}\0", "messages end with a NUL character", "End each message with a newline (LF)."
    ),
    mistake_rule(
        "escaped-newline",
        r"\}\\n",
        "messages end with a backslash and the letter n",
        "End each message with a newline (LF), not with its escape sequence.",
    ),
)
"""What may end messages instead of a newline; for output without one."""

BROKEN_JSON: Rules = (
    mistake_rule(
        "broken-json",
        r"\A\s*\{\s*\"(?:jsonrpc|id|result|method|error)\"\s*:",
        "a message is not valid JSON",
        "Write messages with a JSON encoder, and each of them whole, on one line.",
    ),
)
"""A message that is not valid JSON; for a line that cannot be parsed."""

OBSTACLES: Rules = (
    mistake_rule(
        "npm-prompt",
        r"ok to proceed\?",
        "npx waits for a confirmation to install the package",
        "Add -y to the arguments of npx.",
    ),
    mistake_rule(
        "debugger",
        r"^(?:debugger listening on |listening for transport dt_socket|\(pdb\)|.*waiting for (?:the )?debugger)",
        "the program waits for a debugger",
        "Start the server without its debugger option (--inspect-brk, --wait-for-client, suspend=y).",
    ),
    mistake_rule(
        "interpreter",
        r"^(?:welcome to node\.js v|python \d\.\d+\.\d+ .*\n?(?:\[|type \"help\")|>>> )",
        "an interactive interpreter was started",
        "Add the file or module of the server to the arguments.",
    ),
    mistake_rule(
        "inspector",
        r"starting mcp inspector|mcp inspector is up and running",
        "the command starts MCP Inspector, which is a client, in place of the server",
        "Enter the command of the server itself, without what starts MCP Inspector (`mcp dev`, `@modelcontextprotocol/inspector`).",
    ),
    mistake_rule(
        "selection",
        r"^\? [^\n]{1,160}(?:\(use (?:the )?arrow keys|\n[^\S\n]*\u276f \S)",
        "the program waits for a choice of the user",
        "Pass the choice as an argument or an environment variable: standard input carries MCP messages.",
    ),
    mistake_rule(
        "listens-on-http",
        r"(?:running|listening|started|available|serving|served)\b[^\n]*?(?:https?://|\bport:? ?\d{2,5}\b)",
        "the server listens on the network, not on stdio",
        "Connect to its URL, or start the server with its option for stdio.",
    ),
)
"""What keeps a running program from responding; for output on stdout or stderr."""

STDERR_OBSTACLES: Rules = (
    mistake_rule(
        "messages-on-stderr",
        r"^[^\S\n]*+\{(?=[^\n]{0,400}\"jsonrpc\":)(?=[^\n]{0,400}\"(?:result|error)\":)",
        "the server writes its messages to stderr",
        "Write messages to stdout, and everything else to stderr.",
    ),
    *OBSTACLES,
    mistake_rule(
        "sign-in",
        r"^(?![^\n]{0,200}\b(?:information|details|documentation|docs|learn|help|issues?|bugs?|report)\b)[^\n]{0,200}?"
        r"\b(?:open|visit|go to|browse to|navigate to)\b[^\n]{0,80}https?://|devicelogin\b|enter the code\b|/authorize\?",
        "the program waits for a sign-in in the browser",
        "Open the URL that it names and sign in, or sign in once in a terminal.",
    ),
    mistake_rule(
        "image-download",
        r"^(?:[\w.-]+: pulling from \S+|[0-9a-f]{12}: (?:pulling|downloading|download complete|extracting|waiting|verifying|pull complete)\b[^\n]*)\s*\Z",
        "the image of the container is being downloaded",
        "Wait until it is downloaded, or download it before (docker pull), and connect again.",
    ),
    mistake_rule(
        "shell",
        r"jsonrpc:2\.0: (?:command )?not found",
        "a shell executes the messages as commands",
        "Check that the command ends by starting the server: a shell reads standard input in its place.",
    ),
)
"""What keeps a running program from responding; for output on stderr."""

RUNS_INPUT: Rules = (
    mistake_rule(
        "stdin-as-source",
        r"\[stdin\]|file \"<stdin>\"",
        "an interpreter runs what it reads from standard input as a program",
        SOURCE_HINT,
    ),
)
"""An interpreter that runs what it reads; for output on stderr after standard input was closed."""

PROMPTS: Rules = (
    *OBSTACLES,
    mistake_rule(
        "prompt",
        r"(?:pass(?:word|phrase)|username|user name|login|token|api[ _-]?key|\[y/n\]|\(y/n\)|\(yes/no\)|"
        r"\[yes/no\]|press (?:enter|any key)|continue\?|proceed\?|^enter [^\n]*|^please enter [^\n]*)[^\n]{0,40} *$",
        "the program waits for input from the user",
        "Pass the value as an argument or an environment variable: standard input carries MCP messages.",
    ),
)
"""A question to the user; for output that no newline ended."""

QUESTIONS: Rules = (
    *PROMPTS,
    mistake_rule(
        "question",
        r"^[^\n{\"]{1,80}(?:[?:>] |\?)\Z",
        "the program may ask for input",
        "If it does, start the server in a mode without questions, and call no input(): standard input carries MCP messages. Otherwise let it print this on stderr.",
    ),
)
"""What looks like a question to the user; for output on stdout that no newline ended."""

_CAUSE = re.compile(
    r"^[\w.]*(?:error|exception|panic)\b[^\n]*:|\b(?:error|fatal|panic|exception)\b\s*:|no module named|no such|not found|denied|"
    r"\b(?:cannot|can't|could not|couldn't|failed to|unable to) (?:find|open|read|load|access|connect|resolve|parse|start|locate)\b|"
    r"^[^\S\n]*+(?:\w+\.)*\w*(?:Error|Exception)\b|\bpanicked at\b|^flag provided but not defined|unrecognized arguments?|"
    r"unknown (?:option|flag|command)|^\[(?:error|fatal)\]|\berror(?: [a-z]{1,4}\d{1,5}|\[e\d{1,5}\]):|"
    r"^npm err(?:or|!) (?!code |syscall |errno |path |dest |cwd |a complete log )\S",
    re.IGNORECASE,
)
_PROGRESS = re.compile(r"^unable to find image [^\n]* locally$", re.IGNORECASE)
"""What looks like an error, and says only what is done next."""

_BELOW_ERROR = re.compile(
    r"^(?:[^A-Za-z\n\x1b]++|\x1b\[[\d;]*+m|T(?=\d)|Z\b)*+(?:[\w.]{1,80} - )?(?:trace|debug|info|notice|warn|warning)\b|"
    r"^[\s\[(]*+(?:\d|[a-z]{3} +\d)(?![^\n]{0,80}\b(?-i:ERROR|ERR|FATAL|CRITICAL|SEVERE|PANIC)\b)"
    r"[^\n]{0,80}?[\s\[|](?-i:TRACE|DEBUG|DBG|INFO|INF|NOTICE|WARN|WARNING|WRN)[\s\]:|]|"
    r"^[^\n]{0,200}?\blevel\"?[=:] ?\"?(?:trace|debug|info|notice|warn|warning)\b",
    re.IGNORECASE,
)
"""The beginning of a log message below the level of errors: the program goes on after it."""

_CONTINUES = re.compile(r":$|(\bvalidation errors? for \w+)$")
"""The end of a line that the next one belongs to; after that of a validation, the next two."""
_CAUSE_TERMS = (
    *("error", "exception", "panic", "fatal", "denied", "not found", "no such", "no module"),
    *("cannot ", "can't ", "could not ", "couldn't ", "failed to ", "unable to "),
    *("flag provided", "unrecognized argument", "unknown ", "npm err"),
)
"""In each line that `_CAUSE` matches is one of them."""

_FOLDED = re.compile("[\u0130\u0131\u017f\u212a]")
"""Letters outside of ASCII that a search in any case takes for `i`, `s` or `k`."""

_TRACEBACK = re.compile(r"^(?:Exception Group )?Traceback \(most recent call last\):")

_GROUP = re.compile(r"^\s+(?:\| ?|\+ )")
"""What Python writes before the lines of an exception group."""

_MARKER = re.compile(r"^\s*[\^~]+\s*$")
"""The line after a line of source text that marks a part of it."""


def find_mistake(rules: Iterable[tuple[str, Explanation]], text: str) -> Explanation | None:
    """Return the first mistake of a table that `text` shows; None for no mistake."""
    flags = re.IGNORECASE | re.MULTILINE
    return next((mistake for pattern, mistake in rules if re.search(pattern, text, flags)), None)


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
    one after a colon; a log message below the level of errors only where there is no other.
    """
    lines = [_GROUP.sub("", line) for line in lines]
    tracebacks = [at for at, line in enumerate(lines) if _TRACEBACK.match(line)]
    if tracebacks:
        start = tracebacks[-1] + 1
        ends = (at for at in range(start, len(lines)) if lines[at] and not lines[at][0].isspace())
        at = next(ends, None)
        return "" if at is None else _with_rest(lines, at)
    at = _first_error(lines)
    return "" if at is None else _with_rest(lines, at)


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
    found = _CONTINUES.search(lines[at].rstrip())
    more = 0 if found is None else 1 if found.group(1) is None else 2
    return " ".join(line.strip() for line in lines[at : at + 1 + more])


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
