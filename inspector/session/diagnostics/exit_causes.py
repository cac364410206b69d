"""Why the process of a server ended, recognized by what it wrote to stderr. Pure: tables for `known_mistakes.find_mistake`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.errors import Hint
from inspector.session.diagnostics.code_causes import CODE_CAUSES
from inspector.session.diagnostics.known_mistakes import VARIABLE, mistake_rule
from inspector.session.diagnostics.tool_causes import TOOL_CAUSES

if TYPE_CHECKING:
    from inspector.session.diagnostics.known_mistakes import Rules

_PATH = "Install the program, or set PATH for this server{cli}: what the profile of your shell adds to PATH may be missing here."

_REFUSED = r"(?!408|425|429)4\d\d"
"""An HTTP status that comes again with the same request."""

EXIT_CAUSES: Rules = (
    *CODE_CAUSES,
    mistake_rule(
        "header-framing",
        r"(?:missing|no|invalid|expected|unexpected)\b[^\n]{0,40}\bcontent-length\b",
        "the program expects `Content-Length` headers, as in the Language Server Protocol",
        "Let the server read each line of standard input as one message: MCP over stdio has no headers.",
    ),
    mistake_rule(
        "port-in-use",
        r"(?:eaddrinuse|address already in use|\bport \d+ was already in use|only one usage of each socket address|port is already allocated)",
        "a port is already in use",
        "Stop the process that uses the port, or configure another port.",
    ),
    mistake_rule(
        "reserved-port",
        r"\blisten eacces\b[^\n]*:\d{1,5}\b|:\d{1,5}: bind: permission denied\b",
        "the program may not listen on this port",
        "Configure another port: those below 1024, and some that the system reserves, need special rights.",
    ),
    mistake_rule(
        "script-policy",
        r"\bcannot be loaded because running scripts is disabled\b",
        "PowerShell may not run scripts",
        "Start the .cmd file of the same name, such as npx.cmd, or allow scripts with Set-ExecutionPolicy.",
    ),
    mistake_rule(
        "carriage-return",
        r"(?:\\r|\r)['’]?: (?:no such file|command not found|bad interpreter)|\$'\\r': command not found|\^M: bad interpreter",
        "the script has line endings of Windows",
        "Save the script with line endings of Unix (LF): a carriage return belongs to the name of the interpreter.",
    ),
    *TOOL_CAUSES,
    mistake_rule(
        "certificate",
        r"self[- _]signed[- _]cert|unable to (?:get local issuer|verify the first) certificate|certificate[_ ]verify[_ ]failed|invalid peer certificate",
        "a certificate is not trusted",
        "Give the certificates of your network to the program: NODE_EXTRA_CA_CERTS for Node.js, SSL_CERT_FILE for Python and uv.",
    ),
    mistake_rule(
        "watch-limit",
        r"file watchers reached|inotify (?:watch|instance)",
        "the system limits how many files are watched",
        "Raise the limit (fs.inotify.max_user_watches), or let the server watch fewer files.",
    ),
    mistake_rule(
        "open-files",
        r"\bemfile\b|too many open files",
        "the system limits how many files are open",
        "Let the server close files and connections, or raise the limit (ulimit -n).",
    ),
    mistake_rule(
        "memory",
        r"heap out of memory|\boutofmemoryerror\b|^memoryerror\b|\bstd::bad_alloc\b|cannot allocate memory(?! in static tls)",
        "the program ran out of memory",
        "Let the server load less, or raise its limit (Node.js: NODE_OPTIONS=--max-old-space-size=MB, Java: -Xmx).",
    ),
    mistake_rule(
        "disk-full",
        r"\benospc\b|no space left on device|disk quota exceeded",
        "the disk is full",
        "Free space on the disk that the server writes to.",
    ),
    mistake_rule(
        "read-only",
        r"\berofs\b|read-only file ?system",
        "the file system is read-only",
        "Let the server write to a folder that it may change.",
    ),
    mistake_rule(
        "in-use",
        r"\b(?:an?|another|other) (?:\w+ ){0,3}?(?:instance|process|server|copy)\b[^\n]{0,60} is already running\b|database is locked|could not set lock|could not (?:acquire|obtain) (?:a |the )?lock|lock file\b[^\n]* exists",
        "another process uses what the server needs for itself",
        "End the other process: another client may have started the same server.",
    ),
    mistake_rule(
        "service-down",
        r"\beconnrefused\b|\bconnection ?refused(?:error)?\b|actively refused",
        "a service that the server connects to is not reachable",
        "Start that service, or correct its host and port in the settings of the server.",
    ),
    mistake_rule(
        "cloud-login",
        r"\byou must be logged in to the server\b|\baz login\b|\bgcloud auth\b|\bgh auth login\b|\baws (?:sso login|configure)\b|default credentials were not found|"
        r"unable to locate credentials|retrieving token from sso|could not load (?:the default credentials|credentials from any providers)",
        "the login of a cloud service is missing or has expired",
        "Log in with the command of that service in a terminal, or give the server its credentials.",
    ),
    mistake_rule(
        "credentials-rejected",
        r"\b(?:401|403)\b[^\n]{0,40}\b(?:unauthori[sz]ed|forbidden)\b|\bbad credentials\b|authentication failed|"
        r"(?:invalid|expired|incorrect) (?:api[ _-]?key|access token|token|credentials|password)",
        "a service rejects the credentials of the server",
        "Check the credentials that the server is given in its environment or arguments.",
    ),
    mistake_rule(
        "bridge",
        rf"\berror posting to endpoint \(http {_REFUSED}\)|\bnon-200 status code \({_REFUSED}\)",
        "the URL that the program connects to responds with an HTTP error",
        "Check the URL that the program connects to: a connection from here to that URL shows its responses.",
    ),
    mistake_rule(
        "bridge-outage",
        r"\berror posting to endpoint \(http \d{3}\)|\bnon-200 status code \(\d{3}\)",
        "the URL that the program connects to responds with an HTTP error",
        "Check the server at the URL that the program connects to, then try again: a connection from here to that URL shows its responses.",
    ),
    mistake_rule(
        "ssh-login",
        r"permission denied \((?:publickey|password|keyboard|gssapi)|host key verification failed|too many authentication failures",
        "the login over SSH failed",
        "Check user, host and key in a terminal, and accept the key of the host there: nothing can be entered here.",
    ),
    mistake_rule(
        "no-network",
        r"\benotfound\b|\beai_again\b|\bgetaddrinfo\b|network is unreachable|temporary failure in name resolution|\bproblem related to network connectivity\b|^npm err(?:or|!) network\b|\bfailed to lookup address information\b|\bname or service not known\b|could not resolve host|\bno such host\b|"
        r"\betimedout\b|\bconnect(?:ion)?timeout(?:error|exception)?:|\bconnect(?:ion|ing)?(?: to [^\n]{1,80})? timed out\b|\berror: (?:[^\n]{0,80} )?connection timeout\b",
        "a host cannot be reached",
        "Check the network, the name of the host, and the proxy of the environment.",
    ),
    mistake_rule(
        "sudo",
        r"\bsudo: a (?:terminal|password) is required",
        "sudo requires a password",
        "Start the server without sudo, or allow this command without a password: nothing can be entered here.",
    ),
    mistake_rule(
        "no-browser",
        r"could not find (?:google )?chrom(?:e|ium)(?: browser| executable| binary| installation)?(?: \(| for channel| at |[.,;:]|$)|"
        r"\bchrom(?:e|ium)(?: browser| executable| binary| installation)? (?:was not|is not|not|could not be) found\b|"
        r"\bchromium distribution '[^'\n]*' is not found|(?:playwright|puppeteer|patchright) (?:browsers )?install\b",
        "the browser that the server uses is not installed",
        "Install the browser, or give the server the path of one.",
    ),
    mistake_rule(
        "no-display",
        r"\$display\b|cannot open display|unable to open x? ?display|could not connect to display|missing x server",
        "the program opens a window, and there is no display",
        "Start the server without a window (headless), or set DISPLAY for it.",
    ),
    mistake_rule(
        "conda",
        r"run 'conda init' before|shell has not been properly configured to use 'conda",
        "conda is not set up in this shell",
        "Start the Python of the environment by its path, or with conda run.",
    ),
    mistake_rule(
        "no-terminal",
        r"/dev/tty\b|\b(?:stdin|standard input|input device) is not a (?:tty|terminal)|inappropriate ioctl for device|\beoferror\b: eof when reading a line",
        "the program needs a terminal",
        "Start the server in a mode without questions: standard input carries MCP messages (docker: leave out -t).",
    ),
    mistake_rule(
        "program-permission",
        r"\brun again with the --allow-[a-z]+ flag",
        "Deno does not permit what the program does",
        "Add the option that the message names to the arguments of deno, before the script.",
    ),
    mistake_rule(
        "missing-arguments",
        r"\bthe following (?:required )?arguments (?:were not provided|are required)\b|^flag provided but not defined\b|\bunrecognized option:|^error: missing (?:command|argument|option)\b",
        "the program does not accept its arguments",
        "Check the arguments of the command.",
    ),
    mistake_rule(
        "node-options",
        r"\bis not allowed in node_options\b",
        "a variable has an option that Node.js does not take there",
        "Remove the option from the variable NODE_OPTIONS, or pass it as an argument of node.",
    ),
    mistake_rule(
        "no-repository",
        r"\bnot a git repository\b",
        "a folder is no Git repository",
        "Set the working directory, or the path in the arguments, to a Git repository.",
    ),
    mistake_rule(
        "variable-invalid",
        r"\binvalid environment variables?:?$",
        "the program rejects the variables of its environment",
        Hint(
            "Set or correct the environment variables that the output of the server names.",
            cli="Set or correct the environment variables that the output of the server names, with --env NAME=VALUE.",
        ),
    ),
    mistake_rule(
        "variable-missing",
        rf"\b{VARIABLE} invalid input: expected \w+, received undefined|key not found: \"{VARIABLE}\"|value cannot be null\. \(parameter '{VARIABLE}'\)|"
        r"`err` value: notpresent|^(?>[^\n]*?(?:environment variable|env var|api[_ ]?key|token|secret)\b)[^\n]*\b(?:not set|unset|missing|required|undefined|not found|must be set|not provided)"
        r"|^(?>[^\n]*?(?:missing|required|set (?:the|your))\b)[^\n]*\b(?:environment variable|env var|api[_ ]?key|token)\b|keyerror: '(?-i:[A-Z][A-Z0-9]*_?[A-Z0-9_]+)'"
        r"|\b(?:set|export|define|provide) (?-i:[A-Z][A-Z0-9]*_[A-Z0-9_]+)\b"
        rf"|\b{VARIABLE}[`'\"]? (?:(?:is|was|are) )?(?:not (?:set|defined|provided|configured)|unset|missing|required|undefined|empty|must be (?:set|provided|defined))\b"
        rf"|\b(?:missing|requires?|required)(?: [a-z]+){{0,3}}:? [`'\"]?{VARIABLE}\b|validation errors? for \w*(?:settings|config\w*|environment)\b[^\n]*\bfield required\b",
        "a setting of the environment seems to be missing",
        Hint(
            "Set the environment variable for this server.",
            cli="Set the environment variable with --env NAME=VALUE.",
        ),
    ),
    mistake_rule(
        "shared-library",
        r"error while loading shared libraries|cannot open shared object file|library not loaded:|\bdll load failed\b|\bdllnotfoundexception\b",
        "a shared library is missing",
        "Install the package of the system that has the library.",
    ),
    mistake_rule(
        "bash-script",
        r"^[^\n:]{1,200}: (?:line )?\d+: (?:source|\[\[|shopt|declare|pushd|popd): not found$|"
        r"^[^\n:]{1,200}: \d+: bad substitution$|^[^\n:]{1,200}\.sh: \d+: syntax error: \"\(\" unexpected|\billegal option -o pipefail\b",
        "sh executes a script for bash",
        "Start the script with bash, or let its first line be #!/usr/bin/env bash.",
    ),
    mistake_rule(
        "no-command",
        r"command not found|failed to spawn:(?![^\n]*\bpermission denied\b)|\bexecvpe \S+ failed 2\b|\bcould not be found within path\b|\bspawn \S+ enoent|not recognized as (?:an internal or external command|the name of a)|"
        r"^(?:[^\n:]{1,200}: (?:line )?\d+:|(?:\S*/)?(?:ba|da|z|k|a|c|fi)?sh:) (?:exec: )?[^\s:]{1,100}: (?-i:not found)$|\benv: [^\n]{1,80}: no such file or directory",
        "a program does not exist, or is not on PATH",
        Hint(_PATH.format(cli=""), cli=_PATH.format(cli=" with --env PATH=…")),
    ),
    mistake_rule(
        "no-file",
        r"can't cd to\b|no such file or directory|\benoent\b|unable to open database file|^\S*\bnode: \S+: not found$|unable to access jarfile|can't open file",
        "a file does not exist",
        "Check the paths in the command, its arguments and the working directory.",
    ),
    mistake_rule(
        "permission",
        r"permission denied|eacces|operation not permitted",
        "access is denied",
        "Check the permissions of the files that the server uses.",
    ),
    mistake_rule(
        "page-for-data",
        r"\bunexpected token '?<'?(?:,| in json)",
        "the server reads a web page in place of JSON",
        "Check the URL or the file that the server reads JSON from: there is a web page.",
    ),
    mistake_rule(
        "invalid-data",
        r"\bin json at position\b|\btoml parse error\b|\bjsondecodeerror\b|\btomldecodeerror\b|\byaml\.(?:scanner|parser)\.|\byamlexception\b|unexpected end of json input|is not valid json",
        "what the server reads is not valid",
        "Correct what the server reads, such as its configuration file: its output shows where it does.",
    ),
    mistake_rule(
        "syntax-error",
        r"^(?:syntaxerror|indentationerror)\b|: syntaxerror:|syntax error",
        "the program has a syntax error",
        "Correct the program, or start it with the version of the interpreter that it needs.",
    ),
    mistake_rule(
        "crash",
        r"^(?:segmentation fault|bus error)\b",
        "the program crashed",
        "Run the command in a terminal: the program crashed, perhaps in a native module.",
    ),
    mistake_rule(
        "usage",
        r"^[^\S\n]*+(?:usage:|usage of [^\n]{1,200}:$)|unknown (?:option|flag|command|shorthand)|unrecognized arguments?|"
        r"(?:bad|invalid|unexpected) (?:option|argument|flag)|the following arguments are required|missing required",
        "the program does not accept its arguments",
        "Check the arguments of the command.",
    ),
)
"""Why a process ended; for its output on stderr."""

NOTIFICATION_ID: Rules = (
    mistake_rule(
        "notification-id",
        r"\bkeyerror: 'id'|missing field `id`|key not found: :?\"id\"",
        "the server expects an id in every message",
        "Let the server handle messages without an `id`, such as notifications/initialized: they are notifications, which get no response.",
    ),
)
"""For the line that names the cause, where `server_output.took_notification`: most of the time it is about the data of a handler."""

_GIVE = "Give the server what the message names: "
_OVER_BOTH = {
    "variable-missing": Hint(
        f"{_GIVE}in its environment if it is a command, or in a header over HTTP.",
        cli=f"{_GIVE}with --env NAME=VALUE if it is a command, or with --header over HTTP.",
    ),
    "credentials-rejected": "Check the credentials that the server is given: in its environment or arguments, or in a header over HTTP.",
}
"""Hints for a server that runs: it may be one at a URL, which takes settings and credentials from headers."""

_NAMES = {"credentials-rejected", "variable-missing", "service-down", "no-network", "certificate"}
SETTINGS: Rules = tuple(rule for rule in EXIT_CAUSES if rule[1].name in _NAMES)
"""Those of settings and of what the server connects to."""

OF_SETTINGS: Rules = tuple(
    (each, replace(cause, hint=_OVER_BOTH.get(cause.name, cause.hint))) for each, cause in SETTINGS
)
"""Those that a running server may name in an error response as well."""
