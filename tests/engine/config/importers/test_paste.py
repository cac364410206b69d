"""Pasted texts and the servers they name; ours, after the forms that clients document."""

from __future__ import annotations

import json
import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.config.importers.paste import MAX_LENGTH, Imported, NotRecognized, import_text
from inspector.config.profile import Profile, command_line

Facts = dict[str, object]


def stdio(command: str, *args: str, **facts: object) -> Facts:
    return {"transport": "stdio", "command": command, "args": args, **facts}


def http(url: str, **facts: object) -> Facts:
    return {"transport": "http", "url": url, **facts}


def read(text: str) -> Imported:
    reading = import_text(text)
    assert isinstance(reading, Imported), reading
    return reading


def assert_facts(profile: Profile, facts: Facts) -> None:
    assert {name: getattr(profile, name) for name in facts} == facts


COMMANDS: list[tuple[str, Facts]] = [
    ("uvx mcp-server-git", stdio("uvx", "mcp-server-git", name="mcp-server-git")),
    ("uvx mcp-server-git --repository .", stdio("uvx", "mcp-server-git", "--repository", ".")),
    ("  $ npx -y pkg  ", stdio("npx", "-y", "pkg")),
    ("npx -y @scope/server-x@1.2 stdio", stdio("npx", "-y", "@scope/server-x@1.2", "stdio", name="server-x")),
    ("```bash\nnpx -y pkg\n```", stdio("npx", "-y", "pkg")),
    ("A=1 B='two words' npx pkg", stdio("npx", "pkg", env=(("A", "1"), ("B", "two words")))),
    ("env A=1 node x.js", stdio("node", "x.js", env=(("A", "1"),))),
    ("EMPTY= node x.js", stdio("node", "x.js", env=(("EMPTY", ""),))),
    ("export A=1 && npx pkg", stdio("npx", "pkg", env=(("A", "1"),))),
    ("set A=1 && npx pkg", stdio("npx", "pkg", env=(("A", "1"),))),
    ('$env:A="1"; npx pkg', stdio("npx", "pkg", env=(("A", "1"),))),
    ('$env:A = "1"; npx pkg', stdio("npx", "pkg", env=(("A", "1"),))),
    ("node x.js A=1", stdio("node", "x.js", "A=1", env=())),
    ("node '' \"\" 'a b'", stdio("node", "", "", "a b")),
    ("node a\\ b \\\"q\\\"", stdio("node", "a b", '"q"')),
    ("node ü --x='1 2'", stdio("node", "ü", "--x=1 2")),
    ("npx \\\n  -y \\\n  pkg", stdio("npx", "-y", "pkg")),
    ("$ cd /srv\n$ node x.js", stdio("node", "x.js", cwd="/srv")),
    ("npx ^\n -y pkg", stdio("npx", "-y", "pkg")),
    ("npx `\n -y pkg", stdio("npx", "-y", "pkg")),
    ("cd /srv/app && node x.js", stdio("node", "x.js", cwd="/srv/app")),
    ("# start it\nnode x.js", stdio("node", "x.js")),
    ("python -m weather.server", stdio("python", "-m", "weather.server", name="weather.server")),
    ("uv run --directory /srv server.py", stdio("uv", "run", "--directory", "/srv", "server.py")),
    ("node /srv/weather/build/index.js", stdio("node", "/srv/weather/build/index.js", name="weather")),
    ("/opt/bin/thing-server", stdio("/opt/bin/thing-server", name="thing-server")),
    (r"C:\tools\server.exe C:\data dir\x", stdio(r"C:\tools\server.exe", r"C:\data", r"dir\x")),
    (
        r'"C:\Program Files\nodejs\node.exe" "C:\my server\index.js"',
        stdio(r"C:\Program Files\nodejs\node.exe", r"C:\my server\index.js", name="my server"),
    ),
    (
        r"C:\Program Files\nodejs\node.exe x.js",
        stdio(r"C:\Program Files\nodejs\node.exe", "x.js"),
    ),
    (r".\build\server.exe --a \\host\share", stdio(r".\build\server.exe", "--a", r"\\host\share")),
    ("cmd /c npx -y pkg", stdio("cmd", "/c", "npx", "-y", "pkg", name="pkg")),
    ("npx mcp-remote https://x.example/mcp?a=1&b=2", stdio("npx", "mcp-remote", "https://x.example/mcp?a=1&b=2")),
    ('["node", "x.js", ""]', stdio("node", "x.js", "")),
]  # fmt: skip


@pytest.mark.parametrize(("text", "facts"), COMMANDS, ids=[text for text, _ in COMMANDS])
def test_a_command_line_is_understood_as_a_shell_would_cut_it(text: str, facts: Facts) -> None:
    """Corpus stdio-22."""
    (profile,) = read(text).profiles
    assert_facts(profile, facts)


SHELL: list[tuple[str, Facts, str]] = [
    ("node x.js &", stdio("node", "x.js"), "“&”"),
    ("node x.js | tee log", stdio("node", "x.js"), "“tee log”"),
    ("npm install && node x.js", stdio("node", "x.js"), "“npm install”"),
    ("npm ci; node x.js", stdio("node", "x.js"), "“npm ci”"),
    ("node x.js || true", stdio("node", "x.js"), "“true”"),
    ("node x.js > out.log 2>&1", stdio("node", "x.js"), "redirection “>out.log 2>&1”"),
    ("node x.js 2>/dev/null", stdio("node", "x.js"), "redirection “2>/dev/null”"),
    ("node $HOME/x.js", stdio("node", "$HOME/x.js"), "“$HOME/x.js” is passed"),
    ("node ~/x.js", stdio("node", "~/x.js"), "“~/x.js” is passed"),
    ("node $(pwd)", stdio("node", "$(pwd)"), "“$(pwd)” is passed"),
    ('node "`pwd`"', stdio("node", "`pwd`"), "“`pwd`” is passed"),
    ("uvx a\nuvx b", stdio("uvx", "b"), "“uvx a”"),
    ("cd /srv && node x.js", stdio("node", "x.js"), "“cd /srv”"),
]


@pytest.mark.parametrize(("text", "facts", "message"), SHELL, ids=[text for text, _, _ in SHELL])
def test_what_only_a_shell_could_do_becomes_a_warning(
    text: str, facts: Facts, message: str
) -> None:
    """Corpus stdio-22: nothing is run through a shell."""
    reading = read(text)
    assert_facts(reading.profiles[0], facts)
    assert any(message in warning for warning in reading.warnings), reading.warnings


def test_quoted_operators_are_arguments_without_a_warning() -> None:
    """Ours."""
    reading = read("node -e 'a && b | c > d; $HOME'")
    assert reading.profiles[0].args == ("-e", "a && b | c > d; $HOME")
    assert reading.warnings == ()


@given(
    st.lists(st.text("ab \"'\\$&|;<>()*?#~=\t\nü{}", max_size=8), min_size=1, max_size=5).filter(
        lambda args: args[0] != "="  # what stands before `=` is a key, not a program
    )
)
def test_words_that_were_quoted_for_a_shell_come_back_as_they_were(args: list[str]) -> None:
    """Ours: the inverse of `command_line`."""
    line = command_line(Profile(command="server", args=tuple(args)))
    (profile,) = read(line).profiles
    assert (profile.command, *profile.args) == ("server", *args) == tuple(shlex.split(line))


@given(st.text(max_size=200))
def test_no_text_makes_reading_fail(text: str) -> None:
    """Ours: a paste cannot be wrong."""
    assert isinstance(import_text(text), Imported | NotRecognized)


@given(st.text('{}[]",: \n\\/*ab=$&|-', max_size=60))
def test_no_syntax_makes_reading_fail(text: str) -> None:
    """Ours."""
    assert isinstance(import_text(text), Imported | NotRecognized)


URLS: list[tuple[str, Facts]] = [
    ("https://mcp.example.com/mcp", http("https://mcp.example.com/mcp", name="mcp.example.com")),
    ("http://localhost:3001/mcp", http("http://localhost:3001/mcp", name="localhost:3001")),
    ("<https://x.example/mcp>", http("https://x.example/mcp")),
    ('"https://x.example/mcp"', http("https://x.example/mcp")),
    ("<https://x.example/mcp", http("https://x.example/mcp")),
    ("https://x.example/mcp?key=<YOUR_KEY>", http("https://x.example/mcp?key=<YOUR_KEY>")),
    ("`https://x.example/<YOUR_ID>`", http("https://x.example/<YOUR_ID>")),
    ("<https://x.example/<YOUR_ID>>", http("https://x.example/<YOUR_ID>")),
    (
        "https://x.example/<YOUR_ID>\nX-Key: 1",
        http("https://x.example/<YOUR_ID>", headers=(("X-Key", "1"),)),
    ),
    ("localhost:3000/mcp", http("http://localhost:3000/mcp")),
    ("127.0.0.1:8000", http("http://127.0.0.1:8000")),
    ("HTTPS://X.example", http("HTTPS://X.example")),
    ("http://localhost:3001/sse", {"transport": "sse", "url": "http://localhost:3001/sse"}),
    ("tcp://127.0.0.1:9000", {"transport": "tcp", "url": "tcp://127.0.0.1:9000"}),
    (
        "curl -X POST https://x.example/mcp -H 'Authorization: Bearer t' -H 'Accept: */*' -d '{}'",
        http("https://x.example/mcp", headers=(("Authorization", "Bearer t"),)),
    ),
]


@pytest.mark.parametrize(("text", "facts"), URLS, ids=[text for text, _ in URLS])
def test_an_address_is_understood(text: str, facts: Facts) -> None:
    """Ours."""
    (profile,) = read(text).profiles
    assert_facts(profile, facts)


REGISTERED: list[tuple[str, Facts]] = [
    ("claude mcp add air -- npx -y air", stdio("npx", "-y", "air", name="air")),
    ("claude mcp add air npx", stdio("npx", name="air")),
    ("claude mcp add air npx -y air -e x", stdio("npx", "-y", "air", "-e", "x", name="air")),
    ("claude mcp add -e K=v air -- npx air", stdio("npx", "air", env=(("K", "v"),), name="air")),
    ("claude mcp add air -e K=v -- npx air", stdio("npx", "air", env=(("K", "v"),), name="air")),
    ("claude mcp add air --env=K=v -- npx", stdio("npx", env=(("K", "v"),), name="air")),
    (
        "claude mcp add --env A=1 B=2 -s user air -- npx air --flag ''",
        stdio("npx", "air", "--flag", "", env=(("A", "1"), ("B", "2")), name="air"),
    ),
    ("claude mcp add --scope project air -- npx", stdio("npx", name="air")),
    (
        "claude mcp add --transport http sentry https://mcp.sentry.dev/mcp",
        http("https://mcp.sentry.dev/mcp", name="sentry"),
    ),
    (
        "claude mcp add sentry https://mcp.sentry.dev/mcp -t http",
        http("https://mcp.sentry.dev/mcp", name="sentry"),
    ),
    (
        'claude mcp add -t http h https://x.example --header "Authorization: Bearer a:b"',
        http("https://x.example", headers=(("Authorization", "Bearer a:b"),), name="h"),
    ),
    (
        'claude mcp add --header "A: 1" "B: 2" -t http h https://x.example',
        http("https://x.example", headers=(("A", "1"), ("B", "2")), name="h"),
    ),
    (
        "claude mcp add --transport sse s https://x.example/events",
        {"transport": "sse", "url": "https://x.example/events", "name": "s"},
    ),
    ('claude mcp add-json w \'{"command":"uvx","args":["w"]}\'', stdio("uvx", "w", name="w")),
    ("codex mcp add w --env K=v -- uvx w", stdio("uvx", "w", env=(("K", "v"),), name="w")),
    ("codex mcp add w --url https://x.example", http("https://x.example", name="w")),
    ("gemini mcp add -t http w https://x.example", http("https://x.example", name="w")),
    (
        'code --add-mcp \'{"name":"n","command":"uvx","args":["a b"]}\'',
        stdio("uvx", "a b", name="n"),
    ),
    (
        'code --add-mcp "{\\"name\\":\\"n\\",\\"command\\":\\"uvx\\"}"',
        stdio("uvx", name="n"),
    ),
    (
        "vscode:mcp/install?%7B%22name%22%3A%22n%22%2C%22command%22%3A%22uvx%22%7D",
        stdio("uvx", name="n"),
    ),
    (
        "cursor://anysphere.cursor-deeplink/mcp/install?name=n&config=eyJjb21tYW5kIjoidXZ4In0=",
        stdio("uvx", name="n"),
    ),
]


@pytest.mark.parametrize(("text", "facts"), REGISTERED, ids=[text for text, _ in REGISTERED])
def test_a_command_for_another_client_means_what_it_would_register(text: str, facts: Facts) -> None:
    """Ours."""
    (profile,) = read(text).profiles
    assert_facts(profile, facts)


def test_several_registering_commands_name_several_servers() -> None:
    """Ours."""
    reading = read("claude mcp add a -- npx a\nclaude mcp add b -- npx b\n")
    assert [profile.name for profile in reading.profiles] == ["a", "b"]


ENTRY = '{"command": "node", "args": ["-e", "", "a b"], "env": {"E": ""}}'
ENTRY_FACTS = stdio("node", "-e", "", "a b", env=(("E", ""),))

CONFIGS: list[tuple[str, str, Facts]] = [
    ("mcpServers", '{"mcpServers": {"n": %s}}' % ENTRY, ENTRY_FACTS),
    ("VS Code", '{"servers": {"n": %s}, "inputs": []}' % ENTRY, ENTRY_FACTS),
    ("VS Code settings", '{"editor.x": 1, "mcp": {"servers": {"n": %s}}}' % ENTRY, ENTRY_FACTS),
    ("Zed", '{"context_servers": {"n": %s}}' % ENTRY, ENTRY_FACTS),
    (
        "Zed, older",
        '{"context_servers": {"n": {"command": {"path": "node", "args": ["x"], "env": {"A": "1"}}}}}',
        stdio("node", "x", env=(("A", "1"),)),
    ),
    (
        "opencode",
        '{"mcp": {"n": {"type": "local", "command": ["node", "x"], "environment": {"A": "1"}}}}',
        stdio("node", "x", env=(("A", "1"),)),
    ),
    ("Claude Code", '{"projects": {"/p": {"mcpServers": {"n": %s}}}}' % ENTRY, ENTRY_FACTS),
    ("fragment of a map", '"mcpServers": {"n": %s}' % ENTRY, ENTRY_FACTS),
    ("fragment of an entry", '"n": %s,' % ENTRY, ENTRY_FACTS),
    ("by name", '{"n": %s}' % ENTRY, ENTRY_FACTS),
    ("comments", '// mine\n{"mcpServers": {/* one */ "n": %s, // last\n},}' % ENTRY, ENTRY_FACTS),
    ("trailing commas", '{"n": {"command": "node", "args": ["x",],},}', stdio("node", "x")),
    ("cut off", '{"mcpServers": {"n": %s' % ENTRY, ENTRY_FACTS),
    ("too many brackets", '"n": %s}}' % ENTRY, ENTRY_FACTS),
    ("fenced", '```json\n{"n": %s}\n```' % ENTRY, ENTRY_FACTS),
    ("curly quotes", "{“n”: {“command”: “node”}}", stdio("node")),
    ("slashes in strings", '{"n": {"url": "https://a.example//b/*c*/"}}', http("https://a.example//b/*c*/")),
    ("serverUrl", '{"n": {"serverUrl": "https://a.example"}}', http("https://a.example")),
    ("httpUrl", '{"n": {"httpUrl": "https://a.example/sse"}}', http("https://a.example/sse")),
    ("type wins", '{"n": {"type": "http", "url": "https://a.example/sse"}}', http("https://a.example/sse")),
    ("streamable-http", '{"n": {"type": "streamable-http", "url": "https://a.example"}}', http("https://a.example")),
    (
        "headers",
        '{"n": {"type": "sse", "url": "https://a.example", "headers": {"A": "1"}}}',
        {"transport": "sse", "headers": (("A", "1"),)},
    ),
    ("Codex", '[mcp_servers.n]\ncommand = "node"\nargs = ["x"]\nenv = { A = "1" }', stdio("node", "x", env=(("A", "1"),))),
    ("docs env list", '{"n": {"command": "node", "env": ["A=1"]}}', stdio("node", env=(("A", "1"),))),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "facts"),
    [(text, facts) for _, text, facts in CONFIGS],
    ids=[kind for kind, _, _ in CONFIGS],
)
def test_the_configuration_of_another_client_is_understood(text: str, facts: Facts) -> None:
    """Ours."""
    (profile,) = read(text).profiles
    assert_facts(profile, {"name": "n", **facts})


NOTED: list[tuple[str, str]] = [
    ('{"n": {"command": "npx -y pkg", "args": []}}', "command “npx -y pkg” contains arguments"),
    ('{"n": {"command": "x", "env": {"K": "${input:key}"}}}', "${input:key} is a placeholder"),
    ('{"n": {"command": "x", "args": ["${env:HOME}"]}}', "${env:HOME} is a placeholder"),
    ('{"servers": {"n": {"command": "x"}}, "inputs": [{"id": "key"}]}', "“inputs”"),
    ('{"n": {"command": "x", "env": {"K": 1.50}}}', "“1.50”"),
    ('{"n": {"command": "x", "args": "a b"}}', "“args” is a string"),
    ('{"n": {"command": "x", "args": ["a", 1]}}', "“args” contains a value that is not a string"),
    ('{"n": {"command": "x", "disabled": true}}', "disabled"),
    ('{"n": {"command": "x", "url": "https://a.example"}}', "the command is used"),
    ('{"n": {"command": "x", "type": "pigeon"}}', "“pigeon”"),
    ('{"n": {"command": "x"}, "m": {"colour": 1}}', "“m” has neither a command nor a URL"),
    ('{"n": {"command": "x", "command": "y"}}', "Duplicate key"),
    ('{"n": {"command": "x"', "Missing closing brackets"),
    ('{"n": {"command": "x"}}}', "extra closing bracket"),
]


@pytest.mark.parametrize(("text", "message"), NOTED, ids=[text for text, _ in NOTED])
def test_what_is_odd_in_a_configuration_is_said(text: str, message: str) -> None:
    """Ours; corpus stdio-17 for arguments typed into the command."""
    warnings = read(text).warnings
    assert any(message in warning for warning in warnings), warnings


REFUSED: list[tuple[str, str]] = [
    ("", "Paste a command line"),
    ("   \n", "Paste a command line"),
    ("# only a comment", "Paste a command line"),
    ("node 'x", "quote ' at character 6"),
    ("A=1", "no program"),
    ('{"a": }', "expecting value (line 1, column 7)"),
    ('{"n": {"command": "C:\\Users"}}', "two backslashes"),
    ('{"mcpServers": {}}', "“mcpServers” is empty"),
    ('{"a": 1}', "No server found"),
    ("[1, 2]", "No server found"),
    ("claude mcp list", "use “add”"),
    ("claude mcp add x", "requires a name"),
    ("curl -v", "no http or https URL"),
    ("https://x.example and words", "only the URL"),
    ("[mcp_servers.x\n]\n[mcp_servers.y]\ncommand=", "looks like TOML"),
    ("x" * (MAX_LENGTH + 1), "too long"),
]


@pytest.mark.parametrize(("text", "message"), REFUSED, ids=[text[:30] for text, _ in REFUSED])
def test_a_text_without_a_server_is_refused_with_the_reason(text: str, message: str) -> None:
    """Ours."""
    reading = import_text(text)
    assert isinstance(reading, NotRecognized)
    assert message in reading.reason


def test_unknown_keys_of_a_pasted_entry_are_kept() -> None:
    """Ours: saving loses nothing."""
    entry = {"command": "x", "alwaysAllow": ["a"], "timeout": 30, "x": {"y": None}}
    (profile,) = read(json.dumps({"mcpServers": {"n": entry}})).profiles
    assert profile.extra == {"alwaysAllow": ["a"], "timeout": 30, "x": {"y": None}}


def test_several_servers_come_in_the_order_of_the_text() -> None:
    """Ours."""
    reading = read('{"mcpServers": {"b": {"command": "x"}, "a": {"url": "https://y.example"}}}')
    assert [profile.name for profile in reading.profiles] == ["b", "a"]
