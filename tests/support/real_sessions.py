"""Sessions with protected servers in which a browser without a screen logs in."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from inspector.auth.grant import Access, MemoryGrants
from inspector.auth.settings import Settings, Way
from inspector.config.profile import Profile
from inspector.errors import HttpStatus, InspectorError
from inspector.workspace import Workspace
from tests.support.form_browser import FormBrowser

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from inspector.auth.authorizer import Authorizer
    from inspector.auth.user_agent import Sender, UserAgent
    from inspector.open_session import OpenSession

CODE = Settings(way=Way.CODE)


@asynccontextmanager
async def opened(
    url: str,
    settings: Settings = CODE,
    *,
    grants: MemoryGrants | None = None,
    user_agent: Callable[[Sender], UserAgent] | None = None,
) -> AsyncGenerator[OpenSession]:
    """A session with the server at `url`, not yet connected."""
    access = Access(settings, grants or MemoryGrants(), user_agent or FormBrowser().user_agent)
    workspace = Workspace(None, access=lambda _: access)
    try:
        yield workspace.open(Profile(name="protected", transport="http", url=url))
    finally:
        await workspace.aclose()


def authorizer_of(session: OpenSession) -> Authorizer:
    assert session.authorizer is not None
    return session.authorizer


def broken(session: OpenSession) -> set[str]:
    """The rules that were broken in the latest authorization."""
    flow = authorizer_of(session).flow
    assert flow is not None
    checks = [check for step in flow.steps for check in step.checks]
    return {check.rule for check in checks if check.result.value == "failed"}


async def refused(session: OpenSession) -> InspectorError:
    with pytest.raises(HttpStatus) as failure:
        await session.connect()
    assert failure.value.hint
    return failure.value
