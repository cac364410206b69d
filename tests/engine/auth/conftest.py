"""Parts of authorization that nobody here wrote, for the modules of tests that need them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.real_parts import (
    CONFIDENTIAL,
    MACHINE,
    authorization_server,
    typescript_server,
)

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

    from inspector.wire.json_codec import Json


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the programs print."""
    return tmp_path_factory.mktemp("printed")


@pytest.fixture(scope="module")
def issuer(npm_folder: Path, folder: Path) -> Generator[str]:
    """An authorization server."""
    clients: list[Json] = [MACHINE, CONFIDENTIAL]
    with authorization_server(npm_folder, folder, clients=clients) as issuer:
        yield issuer


@pytest.fixture(scope="module")
def typescript(issuer: str, npm_folder: Path, folder: Path) -> Generator[str]:
    """A server on the TypeScript SDK one of whose tools needs another scope."""
    with typescript_server(npm_folder, issuer, folder) as url:
        yield url
