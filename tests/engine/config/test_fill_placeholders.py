"""Placeholders filled from the environment, in the dialects of other clients; ours."""

from __future__ import annotations

import pytest

from inspector.config.fill_placeholders import fill_placeholders
from inspector.config.importers.paste import import_text
from inspector.config.importers.result import Imported
from inspector.config.profile import Profile

ENVIRON = {"TOKEN": "t-1", "HOME": "/home/x", "EMPTY": "", "WEATHER_KEY": "w k&1", "token": "low"}


@pytest.mark.parametrize(
    ("value", "filled"),
    [
        ("${TOKEN}", "t-1"),
        ("Bearer ${env:TOKEN}", "Bearer t-1"),
        ("${LOST:-usual}", "usual"),
        ("${TOKEN:-usual}", "t-1"),
        ("${EMPTY:-usual}", "usual"),
        ("$TOKEN", "t-1"),
        ("{env:TOKEN}", "t-1"),
        ("%TOKEN%", "t-1"),
        ("$env:TOKEN", "t-1"),
        ("<WEATHER_KEY>", "w k&1"),
        ("{token}", "low"),
        ("${HOME}/${TOKEN}", "/home/x/t-1"),
        ("${LOST}", "${LOST}"),
        ("${input:TOKEN}", "${input:TOKEN}"),
        ("${workspaceFolder}", "${workspaceFolder}"),
        ("<your token here>", "<your token here>"),
        ("plain", "plain"),
    ],
)
def test_a_variable_is_filled_by_the_environment(value: str, filled: str) -> None:
    local = fill_placeholders(Profile(command="x", env=(("A", value),)), ENVIRON)
    remote = fill_placeholders(
        Profile(transport="http", url="https://h", headers=(("A", value),)), ENVIRON
    )

    assert local.profile.env == remote.profile.headers == (("A", filled),)


def test_what_was_filled_and_what_is_missing_is_told() -> None:
    profile = Profile(
        command="${HOME}/bin/x",
        args=("--token", "${TOKEN}", "--key=${input:key}", "-c", "echo $TOKEN; exit"),
        cwd="${HOME}",
        env=(("A", "${LOST}"), ("B", "${TOKEN}")),
    )
    filling = fill_placeholders(profile, ENVIRON)

    assert filling.filled == ("${HOME}", "${TOKEN}")
    assert filling.missing == ("${input:key}", "${LOST}")
    assert filling.profile.command == "/home/x/bin/x"
    assert filling.profile.args[1] == "t-1"
    assert filling.profile.args[-1] == "echo $TOKEN; exit"  # a program's own text
    assert filling.profile.cwd == "/home/x"


def test_a_value_is_escaped_in_the_query_of_a_url_alone() -> None:
    profile = Profile(transport="http", url="${HOME}/mcp?key=${WEATHER_KEY}&a=${LOST}")

    filled = fill_placeholders(profile, ENVIRON).profile
    assert filled.url == "/home/x/mcp?key=w%20k%261&a=${LOST}"


def test_a_value_that_looks_like_a_placeholder_is_not_filled_again() -> None:
    environ = {"A": "${B}", "B": "secret"}

    assert fill_placeholders(Profile(command="x", args=("${A}",)), environ).profile.args == (
        "${B}",
    )


def test_what_a_registry_requires_is_filled_by_the_variable_of_its_name() -> None:
    reading = import_text(
        '{"name": "a/weather", "packages": [{"registryType": "npm", "identifier": "w", "version": "1", '
        '"environmentVariables": [{"name": "WEATHER_KEY", "isRequired": true}]}]}'
    )
    assert isinstance(reading, Imported)

    filling = fill_placeholders(reading.profiles[0], ENVIRON)
    assert filling.profile.env == (("WEATHER_KEY", "w k&1"),)
    assert filling.missing == ()
