"""A document that describes us, served on this machine for as long as an authorization runs."""

from __future__ import annotations

from inspector.auth.client import Origin
from inspector.auth.grant import Access, MemoryGrants
from inspector.auth.settings import Settings, Way
from inspector.config.profile import Profile
from inspector.workspace import Workspace
from tests.support.demo_server import demo
from tests.support.form_browser import FormBrowser


async def test_an_authorization_server_on_this_machine_reads_who_we_are() -> None:
    """C-AUT-11, C-AUT-13; ours: no registration, and no document to be published."""
    settings = Settings(way=Way.CODE, serves_client_metadata=True)
    async with demo("--http", "0", "--auth", "--auth-consent", "auto") as url:
        access = Access(settings, MemoryGrants(), FormBrowser().user_agent)
        workspace = Workspace(None, access=lambda _: access)
        opened = workspace.open(Profile(name="demo", transport="http", url=url))
        await opened.connect()
        await workspace.aclose()

    assert opened.authorizer is not None
    assert opened.authorizer.grant is not None
    client = opened.authorizer.grant.client
    assert client.origin is Origin.DOCUMENT
    assert client.id.startswith("http://127.0.0.1:")
