"""Formats of other clients and of READMEs: what they hold is read, and what cannot be used is reported; ours."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.config.importers.paste import Imported, NotRecognized, import_text
from inspector.config.importers.yaml_text import MAX_NODES

if TYPE_CHECKING:
    from inspector.config.profile import Profile

ENTRY = {"command": "uvx", "args": ["time-server", "--zone", "a b"]}
JSON_ENTRY = json.dumps(ENTRY)


def read(text: str) -> Imported:
    reading = import_text(text)
    assert isinstance(reading, Imported), reading
    return reading


def only(text: str) -> Profile:
    (profile,) = read(text).profiles
    return profile


def refused(text: str) -> str:
    reading = import_text(text)
    assert isinstance(reading, NotRecognized), reading
    return reading.reason


def b64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


YAML = {
    "goose": """
extensions:
  clock:
    type: stdio
    cmd: uvx
    args: [time-server, --zone, a b]
    envs: {PORT: 0080, ON: on}
""",
    "librechat": """
# a comment
mcpServers:
  clock:
    command: uvx
    args:
      - time-server
      - --zone
      - a b
    env:
      PORT: 0080
      ON: on
""",
    "continue": """
mcpServers:
  - name: clock
    command: uvx
    args: ["time-server", "--zone", "a b"]
    env:
      PORT: 0080
      ON: on
""",
    "one server": """
name: clock
command: uvx
args: [time-server, --zone, "a b"]
env: {PORT: 0080, ON: on}
""",
    "with a merge": """
base: &base
  env: {PORT: 0080, ON: on}
mcpServers:
  clock:
    <<: *base
    command: uvx
    args: [time-server, --zone, a b]
""",
}


@pytest.mark.parametrize("text", YAML.values(), ids=YAML)
def test_yaml_is_read_with_each_value_as_it_is_spelled(text: str) -> None:
    """Ours: `on` and `0080` reach the server as they stand."""
    profile = only(text)
    assert (profile.name, profile.command, list(profile.args)) == ("clock", "uvx", ENTRY["args"])
    assert profile.env == (("PORT", "0080"), ("ON", "on"))


def test_headers_of_yaml_are_read_wherever_a_client_keeps_them() -> None:
    """Ours: Continue keeps them in `requestOptions`."""
    text = "mcpServers:\n  - name: web\n    type: streamable-http\n    url: https://x.example/mcp\n"
    text += "    requestOptions:\n      headers:\n        X-Team: blue\n"
    assert only(text).headers == (("X-Team", "blue"),)


def test_an_alias_bomb_is_refused() -> None:
    """Ours: a short text can stand for billions of values."""
    lines = ["a: &a [x, x, x, x, x, x, x, x, x, x]"]
    lines += [
        f"{new}: &{new} [{', '.join([f'*{old}'] * 10)}]"
        for old, new in zip("abcdef", "bcdefg", strict=True)
    ]
    assert "too many values" in refused("\n".join(lines))


@pytest.mark.parametrize(
    "text", ["a: " + "[" * 5_000, "k:\n- " + "- " * 5_000, "a:\n" + "- x\n" * (MAX_NODES + 1)]
)
def test_yaml_that_is_too_deep_or_too_long_is_refused(text: str) -> None:
    """Ours: hostile text must not reach a recursive reader."""
    assert "YAML" in refused(text)


TOML = {
    "dotted": 'mcp_servers.clock.command = "uvx"\nmcp_servers.clock.args = ["time-server"]',
    "inline": '[mcp_servers]\nclock = { command = "uvx", args = ["time-server"] }',
    "one line": 'mcp_servers = { clock = { command = "uvx", args = ["time-server"] } }',
    "table": '# mine\n[mcp_servers.clock]\ncommand = "uvx"\nargs = ["time-server"]',
    "among others": 'model = "x"\n\n[mcp_servers.clock]\ncommand = "uvx"\nargs = ["time-server"]',
    "openhands": '[mcp]\nstdio_servers = [{ name = "clock", command = "uvx", args = ["time-server"] }]',
}


@pytest.mark.parametrize("text", TOML.values(), ids=TOML)
def test_toml_is_read_in_each_of_its_spellings(text: str) -> None:
    """Ours."""
    reading = read(text)
    (profile,) = reading.profiles
    assert (profile.name, profile.command, profile.args) == ("clock", "uvx", ("time-server",))
    assert reading.source.startswith("TOML")


PROSE = {
    "fenced": f"Add this to your config:\n\n```json\n{JSON_ENTRY}\n```\n\nand restart.",
    "after its installation": "First\n```sh\nnpm install -g x\n```\nthen\n```json\n"
    f"{JSON_ENTRY}\n```\n",
    "fenced command": "Then run\n\n~~~sh\nuvx time-server --zone 'a b'\n~~~\n",
    "unfenced": 'Put this into the file\n{\n  "mcpServers": {"clock": '
    + JSON_ENTRY
    + "}\n}\nand restart.",
    "indented": "To install:\n\n    uvx time-server --zone 'a b'\n\nThen restart.",
    "code span": "Run `uvx time-server --zone 'a b'` in a terminal.",
}


@pytest.mark.parametrize("text", PROSE.values(), ids=PROSE)
def test_the_code_in_the_text_of_a_readme_is_read(text: str) -> None:
    """Ours."""
    reading = read(text)
    (profile,) = reading.profiles
    assert (profile.command, list(profile.args)) == ("uvx", ENTRY["args"])
    assert any("ignored" in warning for warning in reading.warnings)


@pytest.mark.parametrize(
    "text",
    [
        "and restart.",
        "Add this to your config",
        "Authorization: Bearer x\nurl and more",
        "key = value",
        "command=npx\nargs=-y docs",
        "<html><body>npx docs</body></html>",
        "npx @modelcontextprotocol/inspector --config mcp.json --server docs",
        "- - -",
        "mcpServers:\n  x: [",
        "Install it with the package manager\nof your choice",
    ],
)
def test_what_is_no_command_line_is_never_run_as_one(text: str) -> None:
    """Ours: no program is called `and`, `url:` or what stands before `=`."""
    assert refused(text)


HEADERS = [
    "https://x.example/mcp\nAuthorization: Bearer abc\nX-Team: blue",
    "POST https://x.example/mcp HTTP/1.1\nHost: x.example\nAuthorization: Bearer abc\nX-Team: blue",
    "URL: https://x.example/mcp\n\nAuthorization: Bearer abc\nX-Team: blue",
    "curl https://x.example/mcp -H 'Authorization: Bearer abc' -H 'X-Team: blue' -H 'Accept: */*'",
]


@pytest.mark.parametrize("text", HEADERS)
def test_headers_beside_an_address_become_headers(text: str) -> None:
    """Ours."""
    profile = only(text)
    assert profile.url == "https://x.example/mcp"
    assert profile.headers == (("Authorization", "Bearer abc"), ("X-Team", "blue"))


def test_where_to_connect_may_be_an_object_of_its_own() -> None:
    """Ours: Cline and FastMCP."""
    text = '{"mcpServers": {"core": {"transport": {"type": "http", "url": "http://h:1/mcp", "headers": {"x": "b"}}}}}'
    profile = only(text)
    assert (profile.transport, profile.url, profile.headers) == (
        "http",
        "http://h:1/mcp",
        (("x", "b"),),
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"mcpServers": {"a": {"comand": "x"}}}', "“a” in “mcpServers” has neither"),
        ('{"mcpServers": {"a": "x"}}', "“a” in “mcpServers” is not an object"),
        ('{"mcpServers": {}}', "“mcpServers” is empty"),
        ('{"servers": ["x"]}', "“servers” holds no object"),
        ('{"editor.fontSize": 12}', "Its keys are “editor.fontSize”"),
    ],
)
def test_what_is_nearly_a_configuration_is_told_what_it_lacks(text: str, reason: str) -> None:
    """Ours."""
    assert reason in refused(text)


@pytest.mark.parametrize("key", ["mcp.servers", "amp.mcpServers"])
def test_settings_with_a_dotted_key_are_read(key: str) -> None:
    """Ours: VS Code and Amp."""
    assert only(json.dumps({"editor.fontSize": 12, key: {"clock": ENTRY}})).name == "clock"


@pytest.mark.parametrize(
    "text",
    [
        "ws://localhost:9000/mcp",
        '{"mcpServers": {"live": {"type": "ws", "url": "ws://localhost:9000/mcp"}}}',
        '{"mcpServers": {"live": {"type": "websocket", "url": "http://localhost:9000/mcp"}}}',
        '{"url": "wss://x.example"}',
    ],
)
def test_a_websocket_is_refused_with_the_reason(text: str) -> None:
    """Ours."""
    assert "no WebSocket transport" in refused(text)


def test_a_websocket_among_other_servers_is_left_out_with_the_reason() -> None:
    """Ours."""
    reading = read(json.dumps({"live": {"url": "ws://x"}, "clock": ENTRY}))
    assert [profile.name for profile in reading.profiles] == ["clock"]
    assert any("WebSocket" in warning for warning in reading.warnings)


@pytest.mark.parametrize(
    "spelling",
    ["streamable-http", "streamableHttp", "streamable_http", "STREAMABLE", "http-stream"],
)
def test_every_spelling_of_streamable_http_is_known(spelling: str) -> None:
    """Ours."""
    reading = read(json.dumps({"x": {"type": spelling, "url": "https://x.example/sse"}}))
    assert reading.profiles[0].transport == "http"
    assert reading.warnings == ()


def test_a_registry_entry_gives_its_packages_and_remotes() -> None:
    """Ours, after the schema of the MCP registry."""
    text = json.dumps(
        {
            "name": "io.github.example/weather",
            "packages": [
                {
                    "registryType": "npm",
                    "identifier": "@example/weather",
                    "version": "1.2.3",
                    "runtimeArguments": [{"type": "positional", "value": "-y"}],
                    "packageArguments": [
                        {"type": "named", "name": "--units", "value": "metric"},
                        {"type": "positional", "valueHint": "city", "isRequired": True},
                    ],
                    "environmentVariables": [{"name": "KEY", "isRequired": True}, {"name": "OPTIONAL"}],
                },
                {"registry_type": "oci", "identifier": "example/weather", "version": "1", "environment_variables": [{"name": "KEY", "value": "v"}]},
                {"registryType": "pypi", "identifier": "weather-mcp", "version": "1.2.3"},
            ],
            "remotes": [{"type": "sse", "url": "https://x.example/sse", "headers": [{"name": "X-Key", "isRequired": True}]}],
        }
    )  # fmt: skip
    npm, oci, pypi, remote = read(text).profiles
    assert (npm.command, npm.args) == (
        "npx",
        ("-y", "@example/weather@1.2.3", "--units", "metric", "<city>"),
    )
    assert npm.env == (("KEY", "<KEY>"),)
    assert (oci.command, oci.args) == (
        "docker",
        ("run", "-i", "--rm", "-e", "KEY", "example/weather:1"),
    )
    assert (pypi.command, pypi.args) == ("uvx", ("weather-mcp==1.2.3",))
    assert (remote.transport, remote.url, remote.headers) == (
        "sse",
        "https://x.example/sse",
        (("X-Key", "<X-Key>"),),
    )


def test_a_bundle_gives_its_program_and_names_what_only_an_installation_knows() -> None:
    """Ours, after MANIFEST.md of MCPB."""
    config = {
        "command": "node",
        "args": ["${__dirname}/index.js"],
        "env": {"KEY": "${user_config.key}"},
    }
    reading = read(
        json.dumps(
            {
                "manifest_version": "0.4",
                "name": "w",
                "server": {"type": "node", "mcp_config": config},
            }
        )
    )
    assert (reading.profiles[0].name, reading.profiles[0].command) == ("w", "node")
    assert sum("is a placeholder" in warning for warning in reading.warnings) == 2


@pytest.mark.parametrize("wrapped", ["server", "servers"])
def test_a_server_in_a_response_of_a_registry_is_read(wrapped: str) -> None:
    """Ours: one, or a page of them, each beside what the registry says of it."""
    remote = {"type": "streamable-http", "url": "https://x.example/mcp"}
    item = {"server": {"name": "io.x/x", "remotes": [remote]}, "status": "x"}
    document = item if wrapped == "server" else {"servers": [item], "count": 1}
    assert only(json.dumps(document)).url == "https://x.example/mcp"


def test_a_bundle_without_a_command_is_started_by_its_type() -> None:
    """Ours."""
    server = {"type": "python", "entry_point": "server/main.py"}
    profile = only(json.dumps({"manifest_version": "0.3", "name": "w", "server": server}))
    assert (profile.command, profile.args) == ("python", ("${__dirname}/server/main.py",))


def test_a_second_configuration_in_a_text_is_not_passed_over_silently() -> None:
    """Ours."""
    other = '{"command": "docker", "args": ["run", "-i", "time-server"]}'
    reading = read(f"Either\n```json\n{JSON_ENTRY}\n```\nor\n```json\n{other}\n```")
    assert any("other configurations" in warning for warning in reading.warnings)


@pytest.mark.parametrize(
    "line",
    [
        "npx @modelcontextprotocol/inspector -e KEY=value -- node build/index.js --flag",
        "npx -y @modelcontextprotocol/inspector@latest -e KEY=value node build/index.js --flag",
        "npx @modelcontextprotocol/inspector --cli -e KEY=value node build/index.js --flag",
        "npx @modelcontextprotocol/inspector --cli -e KEY=value node build/index.js --flag "
        "--method tools/call --tool-name=x",
    ],
)
def test_the_server_of_an_inspector_command_is_taken_out(line: str) -> None:
    """Ours."""
    profile = only(line)
    assert (profile.command, profile.args) == ("node", ("build/index.js", "--flag"))
    assert profile.env == (("KEY", "value"),)


def test_options_of_other_clients_name_what_the_server_does_not_get() -> None:
    """Ours."""
    reading = read("codex mcp add x --url https://x.example/mcp --bearer-token-env-var TOKEN")
    assert reading.profiles[0].url == "https://x.example/mcp"
    assert any("Authorization" in warning for warning in reading.warnings)
    assert only("q mcp add --name n --command npx --args -y,x --env A=1").args == ("-y", "x")


@given(st.text("abc:-[]{}&*<>!|#'\" \n\t=./", max_size=80))
def test_no_text_in_the_shape_of_yaml_or_toml_makes_reading_fail(text: str) -> None:
    """Ours: a paste cannot be wrong."""
    for whole in (
        text,
        f"a: {text}",
        f"[mcp_servers]\n{text}",
        f"vscode:mcp/install?{text}",
        f"```\n{text}\n```",
    ):
        assert isinstance(import_text(whole), Imported | NotRecognized)
