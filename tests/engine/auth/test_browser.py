"""The callback of a browser on this machine."""

from __future__ import annotations

import asyncio

import pytest

from inspector.auth.browser import LoopbackListener
from inspector.errors import AuthError
from tests.support.wait import wait_until


async def fetch(port: int, path: str) -> str:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    answer = (await reader.read()).decode()
    writer.close()
    await writer.wait_closed()
    return answer


async def test_one_callback_is_taken_and_leaves_nothing_in_the_browser() -> None:
    """C-AUT-41; RFC 8252, section 8.3."""
    opened: list[str] = []

    async def show(url: str) -> None:
        opened.append(url)

    listener = LoopbackListener(show)
    uri = await listener.start()
    port = int(uri.rpartition(":")[2].partition("/")[0])
    visiting = asyncio.ensure_future(listener.visit("https://as.example/authorize"))
    await wait_until(lambda: opened)
    missed = await fetch(port, "/favicon.ico")
    first = await fetch(port, "/callback?code=a&state=b")
    second = await fetch(port, "/callback?code=other&state=b")
    done = await fetch(port, "/done")
    callback = await visiting
    await listener.stop()

    assert uri.startswith("http://127.0.0.1:")
    assert (missed.split()[1], first.split()[1], second.split()[1]) == ("404", "303", "410")
    assert callback == f"{uri.replace(f':{port}/callback', '')}/callback?code=a&state=b"
    assert "Location: /done\r\n" in first
    for answer in (first, done):
        assert "Cache-Control: no-store" in answer
        assert "Referrer-Policy: no-referrer" in answer
    assert "code" not in done
    with pytest.raises(ConnectionRefusedError):
        await fetch(port, "/callback")


async def test_a_callback_that_never_comes_is_told() -> None:
    """Ours."""

    async def show(_: str) -> None:
        """The user closes the page."""

    listener = LoopbackListener(show, limit_seconds=0.01)
    with pytest.raises(AuthError, match="no callback") as failure:
        await listener.visit("https://as.example/authorize")
    await listener.stop()

    assert failure.value.hint


async def test_the_url_can_be_pasted() -> None:
    """Ours: the browser may be on another machine."""
    ready = asyncio.Event()

    async def show(_: str) -> None:
        ready.set()

    listener = LoopbackListener(show)
    visiting = asyncio.ensure_future(listener.visit("https://as.example/authorize"))
    await ready.wait()
    assert listener.paste("nonsense") != ""
    assert listener.paste(" http://localhost:1/callback?code=a&state=b ") == ""
    assert listener.paste("http://localhost:1/callback?code=a&state=b") != ""
    callback = await visiting
    await listener.stop()

    assert callback == "http://localhost:1/callback?code=a&state=b"


async def test_a_port_that_is_taken_is_told() -> None:
    """Ours."""

    async def show(_: str) -> None:
        """Nothing is shown."""

    first = LoopbackListener(show)
    port = int((await first.start()).rpartition(":")[2].partition("/")[0])
    with pytest.raises(AuthError, match=str(port)):
        await LoopbackListener(show, port=port).start()
    await first.stop()
