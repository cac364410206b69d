"""Well-known mistakes, recognized by what a server writes. Pure: text in, the mistake with a hint out.

Every table is a tuple for `find_mistake`: of the mistakes that match, the one that comes first in the table is found.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from collections.abc import Iterable


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


_OTHERS = r"callback|oauth|connect(?:ed|ing)|metrics|dashboard|health|upstream|redis|ollama|postgres\w*|update|upgrade|latest"
_OF_SERVER = rf"(?:(?!\b(?:{_OTHERS})\b)[^\n])"
_OF_ADDRESS = rf"(?:(?!\b(?:{_OTHERS}|stdio|using|via|docs|documentation|see|help)\b)[^\n])"
"""A character of a line that says where a server listens, and not where something else does that has an address as well."""

ENCODING: Rules = (
    mistake_rule(
        "encoded-twice",
        r'\A\s*"\s*\{\s*\\"',
        "a message is encoded as JSON twice: it is a string that holds JSON",
        "Call the JSON encoder once for each message.",
    ),
    mistake_rule(
        "bare-result",
        r'\A\s*\{\s*"(?:protocolVersion"\s*:\s*"\d|(?:serverInfo|capabilities)"\s*:\s*\{|(?:tools|content)"\s*:\s*\[)',
        "a result has no JSON-RPC envelope",
        "Put the result into the member `result` of an object with `jsonrpc` and the `id` of the request.",
    ),
    mistake_rule(
        "letter-case",
        r'\A\s*\{(?=[^\n]{0,400}"json_?rpc"\s*:)\s*(?:(?-i:"jsonrpc")\s*:\s*"2\.0"\s*,\s*)?'
        r'"(?!(?-i:jsonrpc|id|result|error|method|params)")(?:json_?rpc|id|result|error|method|params)"\s*:',
        "the members of a message have other names than `jsonrpc`, `id` and `result`",
        "Name the members as the specification does: case counts, so that `Id` or `Result` is another name.",
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
        "Write each message as one line of JSON, without headers before it.",
    ),
    mistake_rule(
        "event-stream",
        r"^(?:event: ?\w+|data: ?\{)",
        "messages are wrapped in the events of an HTTP stream (`data:`)",
        "Write each message as one line of JSON, without `data:` before it.",
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
        "crashed-in-watcher",
        r"\bapp crashed - waiting for file changes",
        "the program ended, and its watcher waits for changes",
        "Start the server itself, without the program that watches its files, to see how it ends.",
    ),
    mistake_rule(
        "compiler-in-watch-mode",
        r"\bstarting compilation in watch mode\b",
        "the command compiles files and watches them",
        "Compile before, and start the compiled file.",
    ),
    mistake_rule(
        "gradle",
        r"^starting a gradle daemon\b|^> task :\S|^> :run$",
        "Gradle prints its progress on stdout",
        "Start the program that Gradle builds (java -jar), or let Gradle print nothing (--quiet --console=plain) and pass standard input on.",
    ),
    mistake_rule(
        "host-key",
        r"\bthe authenticity of host [^\n]{1,200} can't be established",
        "ssh asks whether to trust the host",
        "Accept the key of the host in a terminal: nothing can be entered here.",
    ),
    mistake_rule(
        "selection",
        r"^\? [^\n]{1,160}(?:\(use (?:the )?arrow keys|\n[^\S\n]*\u276f \S)",
        "the program waits for a choice of the user",
        "Pass the choice as an argument or an environment variable: standard input carries MCP messages.",
    ),
    mistake_rule(
        "listens-on-http",
        rf"^{_OF_SERVER}{{0,200}}?(?:running|listening|started|serving|served|\b(?:server|endpoint|mcp|sse|api)\b[^\n]{{0,60}}?\bavailable)\b"
        rf"{_OF_ADDRESS}{{0,160}}?(?:https?://|\bport:? ?\d{{2,5}}\b| on (?:[\w.-]{{1,80}}|\[[\d:a-f]*\])?:\d{{2,5}}\b)|"
        r"^[^\w\n]*+local:[^\S\n]+https?://|\bready (?:on|at) https?://|"
        rf"^(?![^\n]{{0,200}}\bconnect){_OF_SERVER}{{0,200}}\bserver on (?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::\])?:\d{{2,5}}\b",
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


def find_mistake(rules: Iterable[tuple[str, Explanation]], text: str) -> Explanation | None:
    """Return the first mistake of a table that `text` shows; None for no mistake."""
    flags = re.IGNORECASE | re.MULTILINE
    return next((mistake for pattern, mistake in rules if re.search(pattern, text, flags)), None)
