"""Probes of resources: a template that leads out of its folder, and resources of the web."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from inspector.probes.probe import Effect, Outcome
from inspector.probes.runner import PROBES, run_probes
from tests.support.answering import AnsweringServer, connected
from tests.support.certificates import make_certificates
from tests.support.http_session import at, session_of
from tests.support.http_stub import HttpStub, reply, well_behaved

if TYPE_CHECKING:
    from pathlib import Path

    from inspector.json_value import Json, JsonObject

TEMPLATES: JsonObject = {
    "resourceTemplates": [
        {"uriTemplate": "docs:///{path}", "name": "docs"},
        {"uriTemplate": "plain:///all", "name": "plain"},
    ]
}


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("root:x:0:0:root:/root:/bin/bash\n", Outcome.FAILED),
        ("# How to read /etc/passwd: root is the user 0", Outcome.PASSED),
    ],
)
async def test_a_template_that_leads_out_of_its_folder_is_found(
    text: str, outcome: Outcome
) -> None:
    """L-RES-18: by what is in the file of the system alone."""
    read: list[str] = []

    def contents(params: JsonObject) -> Json:
        read.append(str(params["uri"]))
        return {"contents": [{"uri": read[-1], "text": text}]}

    server = AnsweringServer(
        {"resources/templates/list": lambda _: TEMPLATES, "resources/read": contents},
        capabilities={"resources": {}},
    )
    async with connected(server) as session:
        (concluded,) = [each async for each in run_probes(session, {"path-traversal"}, lists={})]
        result = concluded.result

    assert result.outcome is outcome
    assert ("L-RES-18" in {each.rule for _, each in result.findings}) is (outcome is Outcome.FAILED)
    assert all(uri.startswith("docs:///..") for uri in read)


async def test_what_goes_beyond_the_server_runs_only_when_it_is_chosen() -> None:
    """Ours: files of the system, and other hosts."""
    server = AnsweringServer(
        {"resources/list": lambda _: {"resources": [{"uri": "https://example.invalid/a"}]}},
        capabilities={"resources": {}},
    )
    async with connected(server) as session:
        found = {each.probe.key async for each in run_probes(session, uses=[])}

    beyond = {probe.key for probe in PROBES if probe.is_opt_in}
    assert beyond == {"path-traversal", "web-resources"}
    assert not beyond & found
    assert {probe.effect for probe in PROBES if probe.key in beyond} == {
        Effect.READS_FILES,
        Effect.CONTACTS_HOSTS,
    }


@pytest.mark.parametrize(
    ("status", "outcome"),
    [(404, Outcome.FAILED), (401, Outcome.FAILED), (200, Outcome.PASSED), (405, Outcome.PASSED)],
)
async def test_a_resource_of_the_web_is_fetched_without_the_server(
    tmp_path: Path, status: int, outcome: Outcome
) -> None:
    """L-RES-12: with the certificates of the user, and without the headers that are for the server."""
    made = make_certificates(tmp_path)
    async with HttpStub(otherwise=lambda _: reply(status), tls=made.server_context()) as web:
        uri = f"https://127.0.0.1:{web.port}/page"
        async with HttpStub(otherwise=well_behaved) as stub:
            own = replace(at(stub.url), ca_file=str(made.authority), headers=(("X-Key", "secret"),))
            async with session_of(own) as session:
                await session.connect()
                lists: dict[str, list[JsonObject]] = {"resources": [{"uri": uri}, {"uri": "a:b"}]}
                found = run_probes(session, {"web-resources"}, lists=lists)
                (concluded,) = [each async for each in found]

    assert concluded.result.outcome is outcome, concluded.result.text
    assert [each.rule for _, each in concluded.result.findings] == (
        ["L-RES-12"] if outcome is Outcome.FAILED else []
    )
    (asked,) = web.asked
    assert (asked.verb, asked.path) == ("HEAD", "/page")
    assert not {"x-key", "mcp-session-id", "authorization"} & asked.headers.keys()


async def test_a_host_that_cannot_be_reached_blames_nobody() -> None:
    """L-RES-12."""
    async with connected(AnsweringServer()) as session:
        lists: dict[str, list[JsonObject]] = {"resources": [{"uri": "https://127.0.0.1:9/a"}]}
        (concluded,) = [each async for each in run_probes(session, {"web-resources"}, lists=lists)]

    assert concluded.result.outcome is Outcome.NOT_TRIED


async def test_resources_without_a_usable_uri_are_passed_over(tmp_path: Path) -> None:
    """Ours: the others are tried, and what was found about them is kept."""
    made = make_certificates(tmp_path)
    async with (
        HttpStub(otherwise=lambda _: reply(404), tls=made.server_context()) as web,
        HttpStub(otherwise=well_behaved) as stub,
        session_of(replace(at(stub.url), ca_file=str(made.authority))) as session,
    ):
        await session.connect()
        there = f"https://127.0.0.1:{web.port}/"
        lists: dict[str, list[JsonObject]] = {
            "resources": [{"uri": f"{there}\ud800"}, {"uri": there}, {"uri": "https://[::1"}]
        }
        (concluded,) = [each async for each in run_probes(session, {"web-resources"}, lists=lists)]

    assert [each.rule for _, each in concluded.result.findings] == ["L-RES-12"]
