"""Why the process of a server ended, recognized by what it wrote to stderr. Pure: tables for `known_mistakes.find_mistake`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.errors import Hint
from inspector.session.diagnostics.known_mistakes import VARIABLE, mistake_rule

if TYPE_CHECKING:
    from inspector.session.diagnostics.known_mistakes import Rules

WRONG_BUILD = mistake_rule(
    "wrong-build",
    r"unsupportedclassversionerror|exec format error|cannot execute binary file|\bversion `\w+_[\d.]+' not found|"
    r"unsupported engine|requires (?:python|node(?:\.js)?|java)\b[^\n]*\d|does not satisfy python[<>=]|"
    r"must install or update \.net|you must install \.net|requires a newer version of (?:python|node)|unsupported operand type\(s\) for \|: '(?!nonetype' and 'nonetype)[\w.]*(?:type|meta|metaclass|genericalias)' and '(?:nonetype|type)'",
    "the program was built for another system, or for another version of its runtime",
    "Install the version of the runtime that the program needs, or a build of it for this system.",
)
"""A program for another version of its runtime; a package manager may have warned of it long before."""

_PATH = "Install the program, or set PATH for this server{cli}: what the profile of your shell adds to PATH may be missing here."

EXIT_CAUSES: Rules = (
    mistake_rule(
        "shadowed-module",
        r"no module named '[^'\n]*'; '[^'.\n]*' is not a package|consider renaming '[^'\n]*' since it has the same name",
        "a file of the server hides a module of the same name",
        "Rename the file of the server that has the name of that module.",
    ),
    mistake_rule(
        "circular-import",
        r"partially initialized module '",
        "a module is used while it is still being imported",
        "If a file of the server has the name of a module from elsewhere, rename it; otherwise let its modules no longer import each other.",
    ),
    mistake_rule(
        "missing-submodule",
        r"no module named '[^'.\n]+\.[^'\n]*'",
        "a module is missing in a package that was found",
        "Install the package that has this module, in the version that the server was written for, or correct the name if it is a module of the server.",
    ),
    mistake_rule(
        "relative-import",
        r"attempted relative import with no known parent package",
        "a module of a package was started as a script",
        "Start the module by its name in the package: python -m PACKAGE.MODULE.",
    ),
    mistake_rule(
        "foreign-path",
        r"['\"]/(?:[^'\"\n]*/)?[a-z]:\\",
        "a path is one of Windows",
        "Use a path of this system in the command and its arguments.",
    ),
    mistake_rule(
        "native-module",
        r"could not locate the bindings file|\bnode_module_version\b|was compiled against a different node\.js version|no native build was found",
        "a native module was not built for this runtime",
        "Install the packages of the server again with this version of the runtime, and with their install scripts (npm rebuild).",
    ),
    mistake_rule(
        "missing-module",
        r"(?:modulenotfounderror|importerror: no module|no module named|cannot find (?:module|package)|err_module_not_found)|"
        r"cannot load such file -- |\bcan't locate \S+ in @inc|\bclass [\"'][^\"'\n]+[\"'] not found|\bnoclassdeffounderror\b|\bclassnotfoundexception\b",
        "a module is missing",
        "Install the missing module in the environment that starts the server, and build the server if it has a build step.",
    ),
    mistake_rule(
        "module-kind",
        r"cannot use import statement outside a module|is not defined in es module scope|err_require_esm|"
        r"unexpected token '?export\b|unknown file extension \"\.[cm]?tsx?\"",
        "Node.js reads the file as another kind of module than it is",
        'Start the compiled JavaScript (TypeScript: with tsx), and set `"type": "module"` in package.json if it uses import.',
    ),
    mistake_rule(
        "missing-name",
        r"importerror: cannot import name|attributeerror: module '",
        "a module does not have what the server imports from it",
        "Install the versions of the packages that the server requires, and check that no file of the server has the name of a module.",
    ),
    mistake_rule(
        "missing-attribute",
        r"attributeerror: '[^'\n]*' object has no attribute|attributeerror: type object '|typeerror: [^\n]* got an unexpected keyword argument",
        "an object does not have what the server uses of it",
        "Correct the server, or install the versions of the packages that it was written for.",
    ),
    mistake_rule(
        "event-loop",
        r"already running asyncio in this thread|cannot be called from a running event loop|event loop is already running",
        "an event loop already runs",
        "Start the server outside of the event loop, or await the asynchronous form of that call.",
    ),
    mistake_rule(
        "output-encoding",
        r"unicodeencodeerror: '(?:charmap|cp\d+|gbk|gb\d+|big5\w*|shift_jis\w*|euc_\w+)'",
        "a character cannot be written in the encoding of the output",
        Hint(
            "Set the variable PYTHONUTF8 to 1 for this server.",
            cli="Set the variable PYTHONUTF8 to 1 with --env PYTHONUTF8=1.",
        ),
    ),
    mistake_rule(
        "never-awaited",
        r"coroutine '[^'\n]*' was never awaited",
        "a coroutine was made, but never ran",
        "Await it, or run it with asyncio.run().",
    ),
    mistake_rule(
        "header-framing",
        r"(?:missing|no|invalid|expected|unexpected)\b[^\n]{0,40}\bcontent-length\b",
        "the program expects `Content-Length` headers, as in the Language Server Protocol",
        "Let the server read each line of standard input as one message: MCP over stdio has no headers.",
    ),
    mistake_rule(
        "port-in-use",
        r"(?:eaddrinuse|address already in use|only one usage of each socket address|port is already allocated)",
        "a port is already in use",
        "Stop the process that uses the port, or configure another port.",
    ),
    mistake_rule(
        "carriage-return",
        r"(?:\\r|\r)['’]?: (?:no such file|command not found|bad interpreter)|\$'\\r': command not found|\^M: bad interpreter",
        "the script has line endings of Windows",
        "Save the script with line endings of Unix (LF): a carriage return belongs to the name of the interpreter.",
    ),
    mistake_rule(
        "docker-daemon",
        r"cannot connect to the docker daemon|docker daemon is not running|error during connect:",
        "Docker is not running",
        "Start Docker.",
    ),
    mistake_rule(
        "docker-access",
        r"permission denied [^\n]{0,60}\bdocker\b",
        "access to Docker is denied",
        "Add your user to the group docker, and log in again.",
    ),
    mistake_rule(
        "container-name",
        r"container name [^\n]* is already in use",
        "a container of that name exists",
        "Remove that container, and start the server with --rm in place of --name.",
    ),
    mistake_rule(
        "mount",
        r"bind source path does not exist|invalid mount config|invalid volume specification",
        "a folder cannot be mounted in the container",
        "Correct the path of -v or --mount in the arguments.",
    ),
    mistake_rule(
        "no-image",
        r"pull access denied|manifest unknown|no such image",
        "the image cannot be found or pulled",
        "Check the name of the image and the access to its registry.",
    ),
    WRONG_BUILD,
    mistake_rule(
        "no-executable",
        r"\bexecutable (?:named )?[`'][^\n]*(?:was not found|is not provided by package)",
        "the package has no program of that name",
        "Name the program of the package: uvx --from PACKAGE PROGRAM.",
    ),
    mistake_rule(
        "registry-login",
        r"npm err(?:or|!) code e401|incorrect or missing password",
        "the registry of packages rejects the login",
        "Log in to the registry (npm login), or correct its token in .npmrc.",
    ),
    mistake_rule(
        "registry-refusal",
        r"npm err(?:or|!) (?:code e)?403\b",
        "the registry of packages refuses the package",
        "Check which packages the registry allows, and what the login to it (npm login, .npmrc) may read.",
    ),
    mistake_rule(
        "version-manager",
        r"^pyenv: version|\bno version is set for command\b|^volta error:|\brbenv: version\b|is not yet installed\b[^\n]*\bnvm\b",
        "the version manager has no version for this folder",
        "Install that version with the version manager, or set the working directory to a folder that has one.",
    ),
    mistake_rule(
        "no-script",
        r"missing script:|\btask '[^'\n]*' (?:is )?not found in (?:root )?project",
        "the project has no script or task of that name",
        "Name a script of package.json or a task of the build, and check the working directory.",
    ),
    mistake_rule(
        "no-project",
        r"could not read package\.json|\bno [`'\"]?(?:pyproject\.toml|package\.json|cargo\.toml)[`'\"]? found|could not find a? ?[`'\"]?(?:pyproject\.toml|cargo\.toml)|"
        r"go\.mod file not found|couldn't find a project to run|does not contain a gradle build",
        "the working directory has no project",
        "Set the working directory to the folder of the project.",
    ),
    mistake_rule(
        "no-package",
        r"npm err(?:or|!) (?:code )?e?404|no matching distribution found|not found in the package registry|"
        r"could not determine executable to run|no solution found when resolving",
        "the package cannot be found",
        "Check the name and the version of the package.",
    ),
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
        r"\beconnrefused\b|\bconnection ?refused\b|actively refused",
        "a service that the server connects to is not reachable",
        "Start that service, or correct its host and port in the settings of the server.",
    ),
    mistake_rule(
        "cloud-login",
        r"\baz login\b|\bgcloud auth\b|\bgh auth login\b|\baws (?:sso login|configure)\b|default credentials were not found|"
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
        "ssh-login",
        r"permission denied \((?:publickey|password|keyboard|gssapi)|host key verification failed|too many authentication failures",
        "the login over SSH failed",
        "Check user, host and key in a terminal, and accept the key of the host there: nothing can be entered here.",
    ),
    mistake_rule(
        "no-network",
        r"\benotfound\b|\beai_again\b|\bgetaddrinfo\b|network is unreachable|temporary failure in name resolution|could not resolve host|\bno such host\b|"
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
        "variable-missing",
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
        "no-command",
        r"command not found|failed to spawn:|\bspawn \S+ enoent|not recognized as (?:an internal or external command|the name of a)|: not found$|\benv: [^\n]{1,80}: no such file or directory",
        "a program does not exist, or is not on PATH",
        Hint(_PATH.format(cli=""), cli=_PATH.format(cli=" with --env PATH=…")),
    ),
    mistake_rule(
        "no-file",
        r"can't cd to\b|no such file or directory|\benoent\b|unable to open database file|unable to access jarfile|can't open file|could not find or load main class",
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
        "invalid-data",
        r"\bin json at position\b|\bjsondecodeerror\b|\btomldecodeerror\b|\byaml\.(?:scanner|parser)\.|\byamlexception\b|unexpected end of json input|is not valid json",
        "a file that the server reads is not valid",
        "Correct the configuration file that the server reads: its output shows where it does.",
    ),
    mistake_rule(
        "syntax-error",
        r"^(?:syntaxerror|indentationerror)\b|: syntaxerror:|syntax error",
        "the program has a syntax error",
        "Correct the program, or start it with the version of the interpreter that it needs.",
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
