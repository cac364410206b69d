"""What speaks at a port is recognized by its first bytes; ours."""

from __future__ import annotations

import pytest

from inspector.wire import protocols


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"SSH-2.0-OpenSSH_9.6\r\n", "SSH"),
        (b"220 mail.test ESMTP\r\n", "mail"),
        (b"-ERR unknown command 'POST'\r\n", "Redis"),
        (b"J\0\0\0\x0a8.0.36\0", "MySQL"),
        (b"\0\0\x12\4\0\0\0\0\0\0\3", protocols.HTTP_2),
        (b'{"jsonrpc":"2.0"}\n', protocols.JSON),
        (b"\x15\x03\x01\x00\x02\x02\x46", protocols.TLS),
        (b"<html>hi</html>", "HTTP/0.9"),
    ],
)
def test_a_protocol_is_recognized_and_has_a_hint(data: bytes, name: str) -> None:
    """Ours."""
    found = protocols.name_of(data)

    assert name in found
    assert protocols.hint_for(found)


def test_the_hint_names_what_leads_to_the_protocol() -> None:
    """Ours: TLS and JSON without HTTP are spoken by servers that a URL can reach; behind SSH there is none."""
    hints = {name: protocols.hint_for(name) for name in (protocols.TLS, protocols.JSON, "SSH")}

    assert "https" in hints[protocols.TLS]
    assert "tcp://" in hints[protocols.JSON]
    assert not any(scheme in hints["SSH"] for scheme in ("https", "tcp://"))


@pytest.mark.parametrize("data", [b"", b"HTTP/1.1 200 OK\r\n", b"hello", b"\0\1\2\3"])
def test_anything_else_has_no_name(data: bytes) -> None:
    """Ours: a wrong name is worse than none."""
    assert protocols.name_of(data) == ""
    assert "port" in protocols.hint_for("")
