"""Well-known mistakes, recognized by what a server writes. Pure: text in, the mistake with a hint out.

Every table is a tuple for `find_mistake`: of the mistakes that match, the one that comes first in the table is found.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

from inspector.errors import Hint
from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from collections.abc import Sequence


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


_Rules: TypeAlias = tuple[tuple[str, Explanation], ...]
"""Pattern and what it means; compiled when a server failed, which takes as long as importing five modules."""


def _rule(name: str, pattern: str, text: str, hint: str) -> tuple[str, Explanation]:
    return pattern, Explanation(text, hint, name=name)


ENCODING: _Rules = (
    _rule(
        "encoded-twice",
        r'\A\s*"\s*\{\s*\\"',
        "a message is encoded as JSON twice: it is a string that holds JSON",
        "Call the JSON encoder once for each message.",
    ),
    _rule(
        "bare-result",
        r'\A\s*\{\s*"(?:protocolVersion|serverInfo|capabilities|tools|content)":',
        "a result has no JSON-RPC envelope",
        "Put the result into the member `result` of an object with `jsonrpc` and the `id` of the request.",
    ),
    _rule(
        "python-repr",
        r"^[^\S\n]*+\{'(?:jsonrpc|id|result|method|error)':",
        "this is a Python dict, not JSON",
        "Write messages with json.dumps(), not with print() or repr() of a dict.",
    ),
)
"""Wrong encodings of messages, on any channel."""

FRAMING: _Rules = (
    _rule(
        "header-framing",
        r"(?:^|\})content-length:\s*\d+",
        "messages have `Content-Length` headers, as in the Language Server Protocol",
        "Write each message as one line of JSON: MCP over stdio has no headers.",
    ),
    _rule(
        "event-stream",
        r"^(?:event: ?\w+|data: ?\{)",
        "messages are wrapped in the events of an HTTP stream (`data:`)",
        "Write each message as one line of JSON: MCP over stdio has no events.",
    ),
    _rule(
        "http-response",
        r"\AHTTP/[\d.]+ \d{3}\b",
        "messages are wrapped in HTTP responses",
        "Write each message as one line of JSON, or let the server listen on a port and connect to its URL.",
    ),
    _rule(
        "interpreter-echo",
        r"^[^\S\n]*+\{'jsonrpc': '2\.0', 'id': \d+, 'method': '(?:server/discover|initialize)'",
        "an interactive interpreter evaluates the messages",
        "Add the file or module of the server to the arguments.",
    ),
    _rule(
        "utf-16",
        r"\A\s*(?:\ufffd\ufffd)?(?:\{\0\s*\0?|\0\{\0)",
        "messages are encoded in UTF-16",
        "Write messages in UTF-8.",
    ),
    _rule(
        "several-lines",
        r"\A\s*\{\s*\n[^\0]{0,400}?\"(?:jsonrpc|id|result|method)\"\s*:",
        "one message is spread over several lines",
        "Write each message on one line, without indentation.",
    ),
    _rule(
        "html",
        r"^[^\S\n]*+<(?:!doctype\s+)?html",
        "this is an HTML page",
        "Check that the command starts an MCP server.",
    ),
    *ENCODING,
)
"""What may be on stdout instead of messages; for the whole output from its beginning."""

ENDINGS: _Rules = (
    _rule(
        "carriage-return",
        r"\}\r(?!\n)",
        "messages end with a carriage return (CR)",
        "End each message with a newline (LF).",
    ),
    _rule(
        "nul", r"\}\0", "messages end with a NUL character", "End each message with a newline (LF)."
    ),
    _rule(
        "escaped-newline",
        r"\}\\n",
        "messages end with a backslash and the letter n",
        "End each message with a newline (LF), not with its escape sequence.",
    ),
)
"""What may end messages instead of a newline; for output without one."""

BROKEN_JSON: _Rules = (
    _rule(
        "broken-json",
        r"\A\s*\{\s*\"(?:jsonrpc|id|result|method|error)\"\s*:",
        "a message is not valid JSON",
        "Write messages with a JSON encoder, and each of them whole, on one line.",
    ),
)
"""A message that is not valid JSON; for a line that cannot be parsed."""

OBSTACLES: _Rules = (
    _rule(
        "npm-prompt",
        r"ok to proceed\?",
        "npx waits for a confirmation to install the package",
        "Add -y to the arguments of npx.",
    ),
    _rule(
        "debugger",
        r"^(?:debugger listening on |listening for transport dt_socket|\(pdb\)|.*waiting for (?:the )?debugger)",
        "the program waits for a debugger",
        "Start the server without its debugger option (--inspect-brk, --wait-for-client, suspend=y).",
    ),
    _rule(
        "interpreter",
        r"^(?:welcome to node\.js v|python \d\.\d+\.\d+ .*\n?(?:\[|type \"help\")|>>> )",
        "an interactive interpreter was started",
        "Add the file or module of the server to the arguments.",
    ),
    _rule(
        "listens-on-http",
        r"(?:running|listening|started|available|serving|served)\b[^\n]*?(?:https?://|\bport:? ?\d{2,5}\b)",
        "the server listens on the network, not on stdio",
        "Connect to its URL, or start the server with its option for stdio.",
    ),
)
"""What keeps a running program from responding; for output on stdout or stderr."""

STDERR_OBSTACLES: _Rules = (
    _rule(
        "messages-on-stderr",
        r"^[^\S\n]*+\{(?=[^\n]{0,400}\"jsonrpc\":)(?=[^\n]{0,400}\"(?:result|error)\":)",
        "the server writes its messages to stderr",
        "Write messages to stdout, and everything else to stderr.",
    ),
    *OBSTACLES,
    _rule(
        "sign-in",
        r"\b(?:open|visit|go to|browse to|navigate to)\b[^\n]{0,80}https?://|devicelogin\b|enter the code\b|/authorize\?",
        "the program waits for a sign-in in the browser",
        "Open the URL that it names and sign in, or sign in once in a terminal.",
    ),
    _rule(
        "shell",
        r"jsonrpc:2\.0: (?:command )?not found",
        "a shell executes the messages as commands",
        "Check that the command ends by starting the server: a shell reads standard input in its place.",
    ),
)
"""What keeps a running program from responding; for output on stderr."""

RUNS_INPUT: _Rules = (
    _rule(
        "stdin-as-source",
        r"\[stdin\]|file \"<stdin>\"",
        "an interpreter runs what it reads from standard input as a program",
        SOURCE_HINT,
    ),
)
"""An interpreter that runs what it reads; for output on stderr after standard input was closed."""

PROMPTS: _Rules = (
    *OBSTACLES,
    _rule(
        "prompt",
        r"(?:pass(?:word|phrase)|username|user name|login|token|api[ _-]?key|\[y/n\]|\(y/n\)|\(yes/no\)|"
        r"\[yes/no\]|press (?:enter|any key)|continue\?|proceed\?|^enter [^\n]*|^please enter [^\n]*)[^\n]{0,40} *$",
        "the program waits for input from the user",
        "Pass the value as an argument or an environment variable: standard input carries MCP messages.",
    ),
)
"""A question to the user; for output that no newline ended."""

EXIT_CAUSES: _Rules = (
    _rule(
        "missing-module",
        r"(?:modulenotfounderror|importerror: no module|no module named|cannot find (?:module|package)|err_module_not_found)",
        "a module is missing",
        "Install the missing module in the environment that starts the server, and build the server if it has a build step.",
    ),
    _rule(
        "module-kind",
        r"cannot use import statement outside a module|is not defined in es module scope|err_require_esm|"
        r"unexpected token '?export\b|unknown file extension \"\.[cm]?tsx?\"",
        "Node.js reads the file as another kind of module than it is",
        'Start the compiled JavaScript (TypeScript: with tsx), and set `"type": "module"` in package.json if it uses import.',
    ),
    _rule(
        "missing-name",
        r"importerror: cannot import name|attributeerror: (?:partially initialized )?module '",
        "a module does not have what the server imports from it",
        "Install the versions of the packages that the server requires, and check that no file of the server has the name of a module.",
    ),
    _rule(
        "header-framing",
        r"(?:missing|no|invalid|expected|unexpected)\b[^\n]{0,40}\bcontent-length\b",
        "the program expects `Content-Length` headers, as in the Language Server Protocol",
        "Let the server read each line of standard input as one message: MCP over stdio has no headers.",
    ),
    _rule(
        "port-in-use",
        r"(?:eaddrinuse|address already in use|only one usage of each socket address)",
        "a port is already in use",
        "Stop the process that uses the port, or configure another port.",
    ),
    _rule(
        "carriage-return",
        r"(?:\\r|\r)['’]?: (?:no such file|command not found|bad interpreter)|\$'\\r': command not found|\^M: bad interpreter",
        "the script has line endings of Windows",
        "Save the script with line endings of Unix (LF): a carriage return belongs to the name of the interpreter.",
    ),
    _rule(
        "docker-daemon",
        r"cannot connect to the docker daemon|docker daemon is not running|error during connect:",
        "Docker is not running",
        "Start Docker.",
    ),
    _rule(
        "no-image",
        r"unable to find image|pull access denied|manifest unknown|no such image",
        "the image cannot be found or pulled",
        "Check the name of the image and the access to its registry.",
    ),
    _rule(
        "no-package",
        r"npm err(?:or|!) (?:code )?e?404|no matching distribution found|not found in the package registry|"
        r"could not determine executable to run|no solution found when resolving",
        "the package cannot be found",
        "Check the name and the version of the package.",
    ),
    _rule(
        "wrong-build",
        r"unsupportedclassversionerror|exec format error|cannot execute binary file|\bversion `\w+_[\d.]+' not found|"
        r"unsupported engine|requires (?:python|node(?:\.js)?|java)\b[^\n]*\d",
        "the program was built for another system, or for another version of its runtime",
        "Install the version of the runtime that the program needs, or a build of it for this system.",
    ),
    _rule(
        "service-down",
        r"\beconnrefused\b|\bconnection ?refused\b|actively refused",
        "a service that the server connects to is not reachable",
        "Start that service, or correct its host and port in the settings of the server.",
    ),
    _rule(
        "credentials-rejected",
        r"\b(?:401|403)\b[^\n]{0,40}\b(?:unauthori[sz]ed|forbidden)\b|\bbad credentials\b|authentication failed|"
        r"(?:invalid|expired|incorrect) (?:api[ _-]?key|access token|token|credentials|password)",
        "a service rejects the credentials of the server",
        "Check the credentials that the server is given in its environment or arguments.",
    ),
    _rule(
        "no-network",
        r"\benotfound\b|\beai_again\b|\bgetaddrinfo\b|network is unreachable|temporary failure in name resolution|could not resolve host",
        "a host cannot be reached",
        "Check the network, the name of the host, and the proxy of the environment.",
    ),
    _rule(
        "no-terminal",
        r"/dev/tty\b|\b(?:stdin|standard input|input device) is not a (?:tty|terminal)|inappropriate ioctl for device|\beoferror\b: eof when reading a line",
        "the program needs a terminal",
        "Start the server in a mode without questions: standard input carries MCP messages (docker: leave out -t).",
    ),
    _rule(
        "variable-missing",
        r"^(?>[^\n]*?(?:environment variable|env var|api[_ ]?key|token|secret)\b)[^\n]*\b(?:not set|unset|missing|required|undefined|not found|must be set|not provided)"
        r"|^(?>[^\n]*?(?:missing|required|set (?:the|your))\b)[^\n]*\b(?:environment variable|env var|api[_ ]?key|token)\b|keyerror: '(?-i:[A-Z][A-Z0-9]*_?[A-Z0-9_]+)'"
        r"|\b(?:set|export|define|provide) (?-i:[A-Z][A-Z0-9]*_[A-Z0-9_]+)\b",
        "a setting of the environment seems to be missing",
        Hint(
            "Set the environment variable for this server.",
            cli="Set the environment variable with --env NAME=VALUE.",
        ),
    ),
    _rule(
        "no-command",
        r"command not found|can't cd to\b|failed to spawn:|not recognized as (?:an internal or external command|the name of a)|: not found$|no such file or directory|\benoent\b|"
        r"unable to access jarfile|can't open file|could not find or load main class",
        "a program or file does not exist",
        "Check the paths in the command, its arguments and the working directory.",
    ),
    _rule(
        "permission",
        r"permission denied|eacces|operation not permitted",
        "access is denied",
        "Check the permissions of the files that the server uses.",
    ),
    _rule(
        "syntax-error",
        r"^(?:syntaxerror|indentationerror)\b|: syntaxerror:|syntax error",
        "the program has a syntax error",
        "Correct the program, or start it with the version of the interpreter that it needs.",
    ),
    _rule(
        "usage",
        r"^[^\S\n]*+(?:usage:|usage of )|unknown (?:option|flag|command|shorthand)|unrecognized arguments?|"
        r"(?:bad|invalid|unexpected) (?:option|argument|flag)|the following arguments are required|missing required",
        "the program does not accept its arguments",
        "Check the arguments of the command.",
    ),
)
"""Why a process ended; for its output on stderr."""

_CAUSE = re.compile(
    r"^[\w.]*(?:error|exception|panic)\b[^\n]*:|\b(?:error|fatal|panic|exception)\b\s*:|no module named|no such|not found|denied|"
    r"\b(?:cannot|can't|could not|couldn't|failed to|unable to) (?:find|open|read|load|access|connect|resolve|parse|start)\b|"
    r"^[^\S\n]*+(?:\w+\.)*\w*(?:Error|Exception)\b|\bpanicked at\b|^flag provided but not defined|unrecognized arguments?|"
    r"unknown (?:option|flag|command)",
    re.IGNORECASE,
)
_TRACEBACK = re.compile(r"^Traceback \(most recent call last\):")


def find_mistake(rules: _Rules, text: str) -> Explanation | None:
    """Return the first mistake of a table that `text` shows; None for no mistake."""
    flags = re.IGNORECASE | re.MULTILINE
    return next((mistake for pattern, mistake in rules if re.search(pattern, text, flags)), None)


def cause_line(lines: Sequence[str]) -> str:
    """Return the line on stderr that most likely names the cause of an exit, without white space around it; empty for no such line.

    That is the last line of the last Python traceback, otherwise the first line that looks like an error.
    """
    tracebacks = [at for at, line in enumerate(lines) if _TRACEBACK.match(line)]
    if tracebacks:
        after = lines[tracebacks[-1] + 1 :]
        return next((line.strip() for line in after if line and not line[0].isspace()), "")
    return next((line.strip() for line in lines if is_error_line(line)), "")


def is_error_line(line: str) -> bool:
    """Whether a line on stderr looks like an error."""
    return _CAUSE.search(line) is not None
