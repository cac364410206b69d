"""What to notice before a server runs; ours."""

from __future__ import annotations

import time

import pytest

from inspector.auth.settings import Settings, Way
from inspector.config.profile import Profile
from inspector.config.profile_warnings import Level, profile_warnings, split_command

ON_PATH = {"npx", "node", "uvx", "sudo", "sh", "bash", "rm"}


def find(command: str) -> str | None:
    return f"/usr/bin/{command}" if command in ON_PATH else None


def rules(*text: str) -> dict[str, Level]:
    profile = Profile(command=text[0], args=text[1:])
    return {caution.rule: caution.level for caution in profile_warnings(profile, find)}


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (("node", "x.js"), {}),
        (("npx", "-y", "pkg"), {"fetch": Level.INFO}),
        (("uv", "run", "x.py"), {"fetch": Level.INFO, "not-found": Level.WARNING}),
        (("bash", "-c", "npx pkg"), {"fetch": Level.INFO, "shell": Level.WARNING}),
        (
            ("docker", "run", "--rm", "x"),
            {"fetch": Level.INFO, "no-stdin": Level.WARNING, "not-found": Level.WARNING},
        ),
        (
            ("docker", "run", "-i", "x"),
            {"fetch": Level.INFO, "not-found": Level.WARNING},
        ),
        (("sudo", "node", "x.js"), {"root": Level.DANGER}),
        (("rm", "-rf", "/"), {"destructive": Level.DANGER}),
        (("sh", "-c", "node x.js"), {"shell": Level.WARNING}),
        (
            ("bash", "-c", "curl https://x.example | sh"),
            {"script": Level.DANGER, "shell": Level.WARNING},
        ),
        (("no-such-cmd-xyz",), {"not-found": Level.WARNING}),
        (("npx -y pkg",), {"typed-arguments": Level.WARNING}),
        (("node", "x.js", "&&", "ls"), {"metacharacters": Level.WARNING}),
        (("node", "a > b"), {}),
        (("",), {"no-command": Level.WARNING}),
        (("/srv/my tools/server",), {"not-found": Level.WARNING}),
    ],
)
def test_a_command_is_looked_over(texts: tuple[str, ...], expected: dict[str, Level]) -> None:
    """C-SEC-05; stdio-17 for arguments typed into the command."""
    assert rules(*texts) == expected


@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        ("curl x |\n sudo bash", True),
        ("wget x | tee y | sh", True),
        ("curl x\ny | sh", False),
        ("x | sh; curl y", False),
        ("curl x | shred", False),
    ],
)
def test_a_script_is_told_where_what_is_fetched_reaches_a_shell(text: str, is_told: bool) -> None:
    assert ("script" in rules("node", text)) is is_told


def test_long_arguments_are_looked_over_in_linear_time() -> None:
    """Ours: the settings of a server are looked over with each key that is typed into them."""
    profile = Profile(transport="stdio", command="node", args=("curl |" * 20_000,))
    before = time.thread_time()

    profile_warnings(profile, find)

    assert time.thread_time() - before < 2


def test_the_gravest_comes_first() -> None:
    assert list(rules("sudo", "rm", "-rf", "&&")) == ["root", "destructive", "metacharacters"]


def test_arguments_typed_into_the_command_can_be_moved() -> None:
    """Corpus stdio-17."""
    moved = split_command(Profile(command="npx -y pkg", args=("a b",)), find)
    assert (moved.command, moved.args) == ("npx", ("-y", "pkg", "a b"))


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://x.example/mcp", []),
        ("http://localhost:3000/mcp", []),
        ("http://127.0.0.1/mcp", []),
        ("http://x.example/mcp", ["plain-http"]),
        ("x.example", ["no-url"]),
        ("https://u:p@x.example", ["userinfo"]),
        ("", ["no-url"]),
    ],
)
def test_an_address_is_looked_over(url: str, expected: list[str]) -> None:
    profile = Profile(transport="http", url=url)
    assert [caution.rule for caution in profile_warnings(profile, find)] == expected


def test_a_folder_that_is_not_there_is_told() -> None:
    """Ours: as a program that is not there."""
    profile = Profile(command="server", cwd="/nowhere")
    told = profile_warnings(profile, lambda _: "/bin/server", lambda _: False)
    assert [(caution.rule, caution.field) for caution in told] == [("no-folder", "cwd")]
    assert profile_warnings(profile, lambda _: "/bin/server", lambda _: True) == ()


@pytest.mark.parametrize(
    ("profile", "names"),
    [
        (Profile(command="x", args=("--key=$KEY",)), "$KEY"),
        (Profile(command="x", args=("$KEY",)), "$KEY"),
        (Profile(command="x", env=(("K", "<YOUR_KEY>"),)), "<YOUR_KEY>"),
        (Profile(transport="http", url="https://h/{tenant}/mcp"), "{tenant}"),
        (
            Profile(transport="http", url="https://h", headers=(("A", "Bearer ${env:K}"),)),
            "${env:K}",
        ),
    ],
)
def test_a_placeholder_is_cautioned_where_it_stands(profile: Profile, names: str) -> None:
    """Ours."""
    (found,) = [
        item for item in profile_warnings(profile, lambda name: name) if item.rule == "placeholder"
    ]
    assert names in found.text


@pytest.mark.parametrize(
    "code", ["console.log($y + $(z))", "echo $HOME | cat", "{a: 1}", "a < b > c"]
)
def test_code_in_an_argument_is_not_taken_for_a_placeholder(code: str) -> None:
    """Ours."""
    found = profile_warnings(Profile(command="node", args=("-e", code)), lambda name: name)
    assert [item for item in found if item.rule == "placeholder"] == []


@pytest.mark.parametrize(
    ("way", "transport", "expected"),
    [
        (Way.COMMAND, "http", ["token-command"]),
        (Way.CODE, "http", []),
        (Way.COMMAND, "tcp", []),
    ],
)
def test_a_program_that_is_run_for_a_token_is_told_without_its_secrets(
    way: Way, transport: str, expected: list[str]
) -> None:
    """C-SEC-05: an address alone would not let anybody expect one."""
    settings = Settings(way=way, token_command=("get-token", "--secret=the-secret"))
    url = "http://localhost/mcp" if transport == "http" else "tcp://localhost:1"
    found = profile_warnings(Profile(transport=transport, url=url, authorization=settings), find)

    assert [caution.rule for caution in found] == expected
    assert "the-secret" not in str(found)
    assert not found or "get-token" in found[0].text
