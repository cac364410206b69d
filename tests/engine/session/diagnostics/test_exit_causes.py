"""Why a process ended is recognized by what it wrote, and where that is not certain, nothing is said; ours."""

from __future__ import annotations

import pytest

from inspector.session.diagnostics import exit_causes
from inspector.session.diagnostics.known_mistakes import find_mistake


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("ModuleNotFoundError: No module named 'mcp'", "missing-module"),
        ("RuntimeWarning: coroutine 'main' was never awaited", "never-awaited"),
        ("Error: Cannot find module '/srv/dist/index.js'", "missing-module"),
        ("Error: listen EADDRINUSE: address already in use :::3000", "port-in-use"),
        (
            "docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock.",
            "docker-daemon",
        ),
        ("npm error code E404", "no-package"),
        ("Error: GITHUB_TOKEN environment variable is not set", "variable-missing"),
        ("KeyError: 'API_TOKEN'", "variable-missing"),
        ("Please set ACME_REGION before you start", "variable-missing"),
        ("Error: DATABASE_URL is not set", "variable-missing"),
        ("ValueError: `BASE_URL` must be provided", "variable-missing"),
        ("missing required setting: ACME_HOST", "variable-missing"),
        ("sh: 1: serve: not found", "no-command"),
        ("/usr/bin/env: 'node': No such file or directory", "no-command"),
        ("start.sh: line 3: nvm: command not found", "no-command"),
        ("usage: server [-h] --root ROOT", "usage"),
        ("error: unknown option '--stdio'", "usage"),
        ("Error: Missing Content-Length header", "header-framing"),
        ("FileNotFoundError: [Errno 2] No such file or directory: 'index.db'", "no-file"),
        ("sqlite3.OperationalError: unable to open database file", "no-file"),
        ("Error: Unable to access jarfile server.jar", "no-file"),
        ("No module named 'mcp.server'; 'mcp' is not a package", "shadowed-module"),
        ("No module named 'mcp.server.fastmcp'", "missing-submodule"),
        ("No module named 'google.cloud'", "missing-submodule"),
        ("No module named 'mcp.types.x'; 'mcp.types' is not a package", "missing-submodule"),
        (
            "AttributeError: module 'random' has no attribute 'x' (consider renaming '/srv/random.py' since it has the same name as the standard library module named 'random' and prevents importing that standard library module)",
            "shadowed-module",
        ),
        (
            "ImportError: cannot import name 'x' from partially initialized module 'my_server.a' (most likely due to a circular import) (/srv/my_server/a.py)",
            "circular-import",
        ),
        ("attempted relative import with no known parent package", "relative-import"),
        ("Error: Cannot find module '/home/me/C:\\Users\\me\\index.js'", "foreign-path"),
        ("Error: Could not locate the bindings file. Tried:", "native-module"),
        ("AttributeError: 'Server' object has no attribute 'list_tools'", "missing-attribute"),
        ("TypeError: run() got an unexpected keyword argument 'port'", "missing-attribute"),
        ("RuntimeError: Already running asyncio in this thread", "event-loop"),
        ("UnicodeEncodeError: 'charmap' codec can't encode character", "output-encoding"),
        ("TypeError: unsupported operand type(s) for |: 'type' and 'NoneType'", "wrong-build"),
        ("TypeError: unsupported operand type(s) for |: 'NoneType' and 'type'", "wrong-build"),
        (
            "ValidationError: 1 validation error for Settings API_KEY Field required",
            "variable-missing",
        ),
        ("Bind for 0.0.0.0:80 failed: port is already allocated", "port-in-use"),
        ("permission denied while trying to connect to the Docker daemon", "docker-access"),
        ('Conflict. The container name "/x" is already in use', "container-name"),
        ("bind source path does not exist: /home/me/data", "mount"),
        ("me@host: Permission denied (publickey).", "ssh-login"),
        ("Host key verification failed.", "ssh-login"),
        ("sudo: a password is required", "sudo"),
        ("npm error code E401", "registry-login"),
        ("npm error code E403", "registry-refusal"),
        ("npm error 403 403 Forbidden - GET https://registry.test/x", "registry-refusal"),
        ("Could not load the default credentials. Browse to https://x.test", "cloud-login"),
        ("Could not load credentials from any providers", "cloud-login"),
        ("require': cannot load such file -- mcp (LoadError)", "missing-module"),
        ("Can't locate MCP/Server.pm in @INC (you may need to install it)", "missing-module"),
        ('PHP Fatal error:  Uncaught Error: Class "Mcp\\Server" not found', "missing-module"),
        ("No version is set for command node\nConsider adding one", "version-manager"),
        ("pyenv: version `3.12.1' is not installed (set by .python-version)", "version-manager"),
        ("go: go.mod file not found in current directory", "no-project"),
        ("ERROR: Please run 'az login' to setup account.", "cloud-login"),
        ("NoCredentialsError: Unable to locate credentials", "cloud-login"),
        ("ConnectTimeout: Connection to api.acme.test timed out.", "no-network"),
        ("Error: connect ETIMEDOUT 10.0.0.1:443", "no-network"),
        ("SyntaxError: Expected ',' or '}' in JSON at position 42", "invalid-data"),
        ("yaml.scanner.ScannerError: mapping values are not allowed here", "invalid-data"),
        ('npm error Missing script: "start"', "no-script"),
        ("Task 'runServer' not found in root project 'my-mcp'.", "no-script"),
        ("Directory '/srv' does not contain a Gradle build.", "no-project"),
        ("error: No `pyproject.toml` found in current directory", "no-project"),
        ("Poetry could not find a pyproject.toml file in /home/me", "no-project"),
        ("Error: ENOSPC: System limit for number of file watchers reached", "watch-limit"),
        ("OSError: [Errno 24] Too many open files", "open-files"),
        ("FATAL ERROR: Allocation failed - JavaScript heap out of memory", "memory"),
        ("Error: EROFS: read-only file system, open '/data/x.log'", "read-only"),
        ("sqlite3.OperationalError: database is locked", "in-use"),
        ("x: another instance is already running (pid 4711)", "in-use"),
        ("Error: A server is already running. Check /srv/server.pid.", "in-use"),
        ("Error: Could not find Chrome (ver. 127.0.6533.88).", "no-browser"),
        ("Error: Chromium distribution 'chrome' is not found at /opt/chrome", "no-browser"),
        ("Google Chrome executable not found", "no-browser"),
        ("Error: connection timeout", "no-network"),
        ("no display name and no $DISPLAY environment variable", "no-display"),
        ("CondaError: Run 'conda init' before 'conda activate'", "conda"),
        ("x: error while loading shared libraries: libpq.so.5: cannot open", "shared-library"),
        ("dial tcp: lookup registry.test: no such host", "no-network"),
        ("getaddrinfo ENOTFOUND api.acme.test", "no-network"),
        ("connection to server at 127.0.0.1 failed: Connection refused", "service-down"),
        (
            "HTTPError: 401 Client Error: Unauthorized for url: https://x.test",
            "credentials-rejected",
        ),
        ("java.lang.UnsupportedClassVersionError: com/x/Main", "wrong-build"),
        ("libc.so.6: version `GLIBC_2.38' not found (required by ./server)", "wrong-build"),
        ("open /dev/tty: no such device or address", "no-terminal"),
        ("SyntaxError: Cannot use import statement outside a module", "module-kind"),
        (
            'TypeError [ERR_UNKNOWN_FILE_EXTENSION]: Unknown file extension ".ts" for /srv/index.ts',
            "typescript",
        ),
        ("ReferenceError: require is not defined in ES module scope", "commonjs"),
        ("SyntaxError: Unexpected token 'export'", "module-kind"),
        ("Error [ERR_REQUIRE_ESM]: require() of ES Module /srv/a.js", "required-module"),
        (
            "No module named json.__main__; 'json' is a package and cannot be directly executed",
            "no-main",
        ),
        ("Cannot find module '/srv/a' imported from /srv/b.js", "imported-file"),
        ("Cannot find package 'zod' imported from /srv/b.js", "missing-module"),
        (
            "Error: Could not find or load main class X; caused by: ClassNotFoundException: X",
            "main-class",
        ),
        ("npm error npx canceled due to missing packages and no YES option", "npx-confirmation"),
        ("ConnectionRefusedError: [Errno 111] Connect call failed", "service-down"),
        ("run.sh: 3: source: not found", "bash-script"),
        ("run.sh: 4: [[: not found", "bash-script"),
        ("sh: 2: set: Illegal option -o pipefail", "bash-script"),
        ("node: /srv/.env: not found", "no-file"),
        (
            "ImportError: cannot import name 'FastMCP' from 'mcp' (/x/mcp/__init__.py)",
            "missing-name",
        ),
        ("/usr/bin/env: ‘python3\\r’: No such file or directory", "carriage-return"),
        ("/srv/run.sh: line 2: $'\\r': command not found", "carriage-return"),
        ("run.sh: 2: cd: can't cd to /srv/x", "no-file"),
        ("error: Failed to spawn: `mcp-server-x`", "no-command"),
        ("An executable named `x` is not provided by package `x-mcp`.", "no-executable"),
        ("The executable `mcp_x` was not found.", "no-executable"),
        (
            "× No solution found when resolving tool dependencies:\n╰─▶ Because the current Python version (3.9.6) does not satisfy Python>=3.10",
            "wrong-build",
        ),
        ("You must install or update .NET to run this application.", "wrong-build"),
        ("npm error code SELF_SIGNED_CERT_IN_CHAIN", "certificate"),
        ("OSError: [Errno 28] No space left on device", "disk-full"),
        ("called `Result::unwrap()` on an `Err` value: NotPresent", "variable-missing"),
        ("the input device is not a TTY", "no-terminal"),
        (
            'NotCapable: Requires env access to "API_KEY", run again with the --allow-env flag',
            "program-permission",
        ),
        ('error: Module not found "file:///srv/servr.ts".', "missing-source"),
        ("Could not find mcp-0.4.0 in locally installed gems", "missing-module"),
        ("Could not locate Gemfile or .bundle/ directory", "no-project"),
        ("Error: Failed opening required '/srv/vendor/autoload.php'", "composer"),
        ("ReferenceError: fetch is not defined", "wrong-build"),
        (
            "SyntaxError: The requested module 'node:fs' does not provide an export named 'x'",
            "wrong-build",
        ),
        (
            "SyntaxError: The requested module './a.js' does not provide an export named 'x'",
            "missing-export",
        ),
        ("pyenv: python3.11: command not found", "version-manager"),
        ("pyenv: acme-mcp: command not found", "no-command"),
        ("error: No interpreter found for Python 3.13 in search path", "no-interpreter"),
        ("EnvironmentLocationNotFound: Not a conda environment: /opt/x", "no-environment"),
        ("xcrun: error: invalid active developer path (/Library/x)", "xcode-tools"),
        ("npm error Your cache folder contains root-owned files, due to a bug", "cache-owner"),
        (
            "npm error ENOTEMPTY: directory not empty, rename '/root/.npm/_npx/3d/a' -> '/x'",
            "npx-folder",
        ),
        ("npm error sha512-x integrity checksum failed when using sha512", "package-checksum"),
        ("Error: Error POSTing to endpoint (HTTP 404): Not Found", "bridge"),
        ("Value cannot be null. (Parameter 'ACME_TOKEN')", "variable-missing"),
        ("/bin/sh: 1: exec: nvm: not found", "no-command"),
        ("sh: serve: not found", "no-command"),
    ],
)
def test_why_a_process_ended_is_recognized(text: str, name: str) -> None:
    """Ours."""
    mistake = find_mistake(exit_causes.EXIT_CAUSES, text)

    assert mistake is not None
    assert mistake.name == name


@pytest.mark.parametrize(
    "text",
    [
        *("KeyError: 'clientInfo'", "KeyError: 'id'", "the token bucket is full", "profound"),
        "UnicodeEncodeError: 'latin-1' codec can't encode character '\\u2026' in position 7",
        "UnicodeEncodeError: 'utf-8' codec can't encode character: surrogates not allowed",
        "UnicodeEncodeError: 'ascii' codec can't encode character '\\xe4' in position 5",
        "Unable to find image 'x:latest' locally",
        "ImportError: libgomp.so.1: cannot allocate memory in static TLS block",
        "indexer is already running, waiting",
        "the connection timeout is 30 s",
        "Error: could not load credentials from /x/creds.json: bad format",
        "Error: Chrome DevTools endpoint not found",
        "Error: Chrome profile not found",
        "Error: Could not find Chrome profile 2",
        "Project 'x' not found in root project 'my-mcp'.",
        "usage of a deprecated flag",
        "Error: HTTP 404: Not Found",
        "Error: File index.db: not found",
        "ReferenceError: window is not defined",
        "Value cannot be null. (Parameter 'path')",
        "TypeError: unsupported operand type(s) for |: 'set' and 'NoneType'",
    ],
)
def test_the_end_of_a_program_has_no_wrong_name(text: str) -> None:
    """Ours: a wrong name is worse than none."""
    assert find_mistake(exit_causes.EXIT_CAUSES, text) is None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("\n\n  usage: x", "usage"),
        ("the token a of tokens is\tmissing", "variable-missing"),
        ("starting\nplease set your fine api_key", "variable-missing"),
    ],
)
def test_a_mistake_is_recognized_in_any_line(text: str, name: str) -> None:
    found = find_mistake(exit_causes.EXIT_CAUSES, text)

    assert found is not None
    assert found.name == name
