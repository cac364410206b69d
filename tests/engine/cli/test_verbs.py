"""What every verb prints, with one server for many of them; ours."""

from __future__ import annotations

import json
import sys

from inspector.cli.command import ERROR_RESPONSE, SUCCESS
from tests.support.command_line import cli

STATEFUL = ("--", sys.executable, "-m", "inspector.demo", "--era", "stateful")
STATELESS = ("--", sys.executable, "-m", "inspector.demo", "--era", "stateless")


async def test_templates_are_listed_and_their_variables_completed() -> None:
    """Ours."""
    listed = await cli("--quiet", "templates", "--json", *STATEFUL)
    (template, *_) = [each["uriTemplate"] for each in json.loads(listed.out)["resourceTemplates"]]
    done = await cli("--quiet", "complete", template, "language=", *STATEFUL)

    assert (done.code, template) == (SUCCESS, "demo://greeting/{language}/{name}")
    assert "english" in done.out.splitlines()


async def test_pings_are_timed_and_a_revision_without_ping_says_so() -> None:
    """Ours: nothing is sent where the revision has no ping."""
    done = await cli("ping", "--count", "3", "--interval", "0.01", "--json", *STATEFUL)
    lines = [json.loads(line) for line in done.out.splitlines()]

    assert done.code == SUCCESS
    assert [line["ping"] for line in lines] == [1, 2, 3]
    assert all(line["seconds"] > 0 for line in lines)
    done = await cli("ping", *STATELESS)
    assert (done.code, "no ping" in done.err) == (ERROR_RESPONSE, True)
