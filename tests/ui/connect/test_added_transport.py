"""One row adds a transport to everything that offers, imports, names or opens one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.cli import command_line
from inspector.config.importers.paste import import_text
from inspector.config.importers.result import Imported
from inspector.config.profile import Profile
from inspector.session import transport_factory
from inspector.session.transport_factory import TransportKind, make_transport, transport_kind
from tests.support.answering import AnsweringServer
from tests.ui.connect.ending import everything_ends
from ui.connect.servers_model import ServersModel

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.config.server_list import ServerList
    from inspector.session.transport_factory import ConnectionTarget
    from inspector.transport.base import Transport
    from inspector.transport.http.credentials import Credentials
    from inspector.workspace import Workspace
    from ui.connect.editor import ServerEditor

URL = "pipe://here/sse"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> AnsweringServer:
    """A server that is reached by a transport of its own."""
    found = AnsweringServer()

    def make(target: ConnectionTarget, credentials: Credentials | None) -> Transport:
        made = found.connect(target, credentials)
        made.name = "pipe"
        return made

    row = TransportKind(
        key="pipe",
        title="Named pipe",
        badge="Pipe",
        step_title="Open the pipe",
        fields=frozenset({"url", "env"}),
        make=make,
        schemes=("pipe",),
        type_names=("namedpipe",),
        can_be_stateless=False,
    )
    monkeypatch.setattr(transport_factory, "TRANSPORTS", (*transport_factory.TRANSPORTS, row))
    return found


def imported(text: str) -> Profile:
    """The one server of a text."""
    reading = import_text(text)
    assert isinstance(reading, Imported), reading
    return reading.profiles[0]


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize(
    "text",
    [
        URL,
        f'{{"mcpServers": {{"a": {{"url": "{URL}"}}}}}}',
        f'{{"mcpServers": {{"a": {{"type": "named-pipe", "url": "{URL}"}}}}}}',
        f"claude mcp add --transport named-pipe a {URL}",
    ],
)
def test_an_added_transport_is_imported_by_its_scheme_and_its_names(text: str) -> None:
    """Ours."""
    profile = imported(text)
    assert (profile.transport, profile.url) == ("pipe", URL)


@pytest.mark.usefixtures("server")
def test_an_added_transport_can_be_selected_on_the_command_line() -> None:
    """Ours."""
    assert command_line.read(["tools", "--transport", "pipe", "--", URL]).transport == "pipe"


@pytest.mark.usefixtures("server")
def test_the_form_offers_an_added_transport_with_its_fields(
    open_editor: Callable[..., ServerEditor],
) -> None:
    """Ours."""
    form = open_editor(Profile(name="a", transport="pipe", url=URL)).form
    assert form.transport.currentText() == "Named pipe"
    visible = {
        "url": form.url,
        "env": form.env,
        "command": form.command,
        "headers": form.headers,
        "authorization": form.access,
        "verify": form.advanced,
        "args": form.arguments,
    }
    shown = {field for field, widget in visible.items() if widget.isVisibleTo(form)}
    assert shown == transport_kind("pipe").fields
    assert form.profile().transport == "pipe"


async def test_a_server_is_connected_to_over_an_added_transport(
    server: AnsweringServer, workspace: Workspace
) -> None:
    """Ours: the connection step and the era come from the row too."""
    opened = workspace.open(imported(URL))
    await opened.connect()
    assert opened.session.steps[0].name == "Open the pipe"
    assert server.received[0]["method"] == "initialize"
    await everything_ends(workspace)


@pytest.mark.usefixtures("server")
def test_the_list_of_servers_has_the_badge_of_an_added_transport(
    server_list: ServerList, workspace: Workspace
) -> None:
    """Ours."""
    server_list.add(Profile(name="a", transport="pipe", url=URL))
    model = ServersModel(server_list=server_list, workspace=workspace)
    row = model.row(model.index(0))
    assert row is not None
    assert row.transport == "Pipe"


@pytest.mark.parametrize("kind", transport_factory.TRANSPORTS, ids=lambda kind: kind.key)
def test_a_row_names_fields_of_a_profile_and_makes_its_own_transport(kind: TransportKind) -> None:
    """Ours: the key of a row is the name of what it makes, by which its connection step and badge are found."""
    assert kind.fields <= set(Profile.__struct_fields__)
    url = f"{kind.schemes[0]}://127.0.0.1:1{kind.path_end}" if kind.schemes else ""
    made = make_transport(Profile(transport=kind.key, command="sh", url=url))
    assert made.name == kind.key
    assert not url or transport_factory.guess_transport(url) == kind.key


def test_no_two_rows_share_a_key_or_a_name() -> None:
    """Ours."""
    kinds = transport_factory.TRANSPORTS
    names = [name for kind in kinds for name in kind.type_names]
    assert len(set(names)) == len(names)
    assert len({kind.key for kind in kinds}) == len(kinds)
