"""The client of a flow: where it comes from, how it registers, and how it authenticates."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from inspector.auth import client, steps
from inspector.auth.client import Client, Origin
from inspector.auth.document import Document
from inspector.auth.messages import HttpResponse
from inspector.auth.metadata import read_server
from inspector.auth.state import Planned, Stage, StepResponse
from inspector.errors import for_cli
from tests.support.scripted_flow import (
    CODE,
    ISSUER,
    REDIRECT_URI,
    Script,
    failure,
    flow_of,
    refused,
)

if TYPE_CHECKING:
    from inspector.auth.settings import Settings
    from inspector.wire.json_codec import JsonObject


async def test_a_stored_client_that_may_not_ask_for_a_scope_is_registered_again() -> None:
    """Ours: a client is granted no scope that it was not registered for, and a step-up needs others."""
    stored = Client(ISSUER, "stored", origin=Origin.STORED)
    script = Script(refusals=["invalid_scope"])
    flow = flow_of(script, refused('Bearer scope="write"'), stored)
    await flow.run()

    assert [step.stage for step in flow.steps[-4:]] == [
        Stage.AUTHORIZATION,
        Stage.CLIENT,
        Stage.AUTHORIZATION,
        Stage.TOKEN,
    ]
    assert script.asked["client_id"] == ["registered"]
    registration = next(each.body for each in script.sent if each.url.endswith("/register"))
    assert json.loads(registration)["scope"] == "write"


@pytest.mark.parametrize("endpoint", ["", f"{ISSUER}/register"])
async def test_a_scope_that_nobody_may_ask_for_ends_the_flow(endpoint: str) -> None:
    """Ours: no endless registering."""
    stored = Client(ISSUER, "stored", origin=Origin.STORED)
    script = Script(
        metadata={"registration_endpoint": endpoint}, refusals=["invalid_scope", "invalid_scope"]
    )
    failed = await failure(script, refused(), stored)

    assert failed.step.stage is Stage.AUTHORIZATION
    assert "invalid_scope" in failed.reason
    assert len(script.visited) == (2 if endpoint else 1)


async def test_a_client_is_found_in_the_order_of_the_specification() -> None:
    """C-AUT-11, C-AUT-12, C-AUT-14, C-AUT-15, C-AUT-18."""
    takes: dict[str, object] = {"client_id_metadata_document_supported": True}
    document = "https://client.example/about.json"
    stored = Client(ISSUER, "stored", origin=Origin.STORED)
    foreign = Client("https://other.example", "foreign", origin=Origin.STORED)
    ways: list[tuple[Settings, Client | None, dict[str, object], str]] = [
        (replace(CODE, client_id="mine", client_metadata_url=document), stored, takes, "mine"),
        (replace(CODE, client_metadata_url=document), stored, takes, "stored"),
        (replace(CODE, client_metadata_url=document), foreign, takes, document),
        (replace(CODE, client_metadata_url=document), None, {}, "registered"),
    ]
    for settings, kept, metadata, expected in ways:
        script = Script(metadata=metadata)
        await flow_of(script, refused(settings=settings), kept).run()
        assert script.asked["client_id"] == [expected]
        assert ("/register" in script.paths) is (expected == "registered")


@pytest.mark.parametrize(
    "url", ["http://client.example/a", "https://client.example", "https://client.example/", "x"]
)
async def test_a_document_that_cannot_be_a_client_id_is_not_used(url: str) -> None:
    """C-AUT-13."""
    script = Script(metadata={"client_id_metadata_document_supported": True})
    failed = await failure(script, refused(settings=replace(CODE, client_metadata_url=url)))

    assert failed.step.stage is Stage.CLIENT


async def test_a_document_on_this_machine_is_used_where_the_authorization_server_is_there_too() -> (
    None
):
    """C-AUT-11; ours: nobody else can read it."""
    takes: dict[str, object] = {"client_id_metadata_document_supported": True}
    served = refused(settings=replace(CODE, serves_client_metadata=True))
    failed = await failure(Script(metadata=takes), served)
    assert failed.step.stage is Stage.CLIENT

    here = "http://127.0.0.1:7/as"
    local: JsonObject = {
        "issuer": here,
        "authorization_endpoint": f"{here}/authorize",
        "token_endpoint": f"{here}/token",
        "client_id_metadata_document_supported": True,
    }
    server = read_server(Document(here, HttpResponse(), local), here)
    found = steps.conclude(
        Planned(Stage.CLIENT, "", replace(served, server=server, redirect_uri=REDIRECT_URI)),
        StepResponse(),
    )
    assert found.state.client is not None
    assert found.state.client.id == "http://127.0.0.1:5/client-metadata.json"
    assert found.state.client.method == client.NONE


async def test_a_registration_says_what_we_are_and_where_callbacks_go() -> None:
    """C-AUT-10, C-AUT-16, C-AUT-41."""
    script = Script()
    await flow_of(script, refused()).run(Stage.CLIENT)
    described = json.loads(script.sent[-1].body)

    assert described["application_type"] == "native"
    assert described["redirect_uris"] == [REDIRECT_URI]
    assert described["token_endpoint_auth_method"]


async def test_an_initial_access_token_is_sent_with_the_registration_alone() -> None:
    """RFC 7591, section 3; C-AUT-42."""
    settings = replace(CODE, initial_access_token="the-initial-token")
    script = Script()
    await flow_of(script, refused(settings=settings)).run()

    sent = [each.url for each in script.sent if "the-initial-token" in str(each.headers)]
    assert sent == [f"{ISSUER}/register"]
    assert "the-initial-token" in settings.secrets


@pytest.mark.parametrize(("token", "told"), [("", "VAR"), ("a-token", "Replace")])
async def test_a_registration_that_requires_a_token_tells_where_to_give_it(
    token: str, told: str
) -> None:
    """Ours."""
    settings = replace(CODE, initial_access_token=token)
    script = Script(registered=(401, {"error": "invalid_token"}))
    failed = await failure(script, refused(settings=settings))

    assert told in for_cli(failed.step.hint)


@pytest.mark.parametrize(
    ("status", "value"),
    [
        (400, {"error": "invalid_redirect_uri", "error_description": "NOT THIS"}),
        (201, {}),
        (201, {"client_id": 5}),
        (403, {"detail": "NOT THIS"}),
    ],
)
async def test_a_registration_that_is_rejected_is_told_in_the_words_of_the_server(
    status: int, value: dict[str, object]
) -> None:
    """C-AUT-17."""
    failed = await failure(Script(registered=(status, value)), refused())

    assert failed.step.stage is Stage.CLIENT
    assert failed.hint
    if status != 201:
        assert "NOT THIS" in failed.reason


async def test_a_client_that_belongs_to_another_authorization_server_is_told_and_not_used() -> None:
    """C-AUT-20, C-AUT-19."""
    settings = replace(CODE, client_id="mine", client_issuer="https://old.example")
    failed = await failure(script := Script(), refused(settings=settings))

    assert "https://old.example" in failed.reason
    assert script.visited == []


@pytest.mark.parametrize(
    ("answer", "listed", "method"),
    [
        ({"client_secret": "s"}, ["none"], "none"),
        (
            {"client_secret": "s"},
            ["client_secret_post", "client_secret_basic"],
            "client_secret_basic",
        ),
        ({"client_secret": "s"}, ["client_secret_post"], "client_secret_post"),
        ({"client_secret": "s"}, None, "client_secret_basic"),
        (
            {"client_secret": "s", "token_endpoint_auth_method": "client_secret_post"},
            None,
            "client_secret_post",
        ),
        ({}, ["client_secret_basic"], "none"),
    ],
)
async def test_the_method_of_authentication_follows_from_the_registration_and_from_what_is_listed(
    answer: dict[str, object], listed: list[str] | None, method: str
) -> None:
    """RFC 7591, section 3.2.1; ours: many servers name no method."""
    script = Script(
        metadata={"token_endpoint_auth_methods_supported": listed},
        registered=(201, {"client_id": "id", **answer}),
    )
    flow = flow_of(script, refused())
    await flow.run()

    assert flow.state.client is not None
    assert flow.state.client.method == method
    form, headers = script.form(), dict(script.sent[-1].headers)
    assert ("client_secret" in form) is (method == client.POST)
    assert ("Authorization" in headers) is (method == client.BASIC)


def test_id_and_secret_are_encoded_before_they_are_sent_as_basic() -> None:
    """RFC 6749, section 2.3.1."""
    headers, fields = client.authenticate(Client("", "a:b", "c d/é", client.BASIC))

    assert base64.b64decode(headers[0][1].partition(" ")[2]) == b"a%3Ab:c%20d%2F%C3%A9"
    assert fields == ()
