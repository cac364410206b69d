"""Recognizes what speaks at a port where HTTP was expected, by its first bytes. Pure; never raises.

Each mark hardly occurs in anything else. Source: RFC 4253, section 4.2; RFC 5321, section 4.2; RFC 9113, section 3.4; RFC 8446, section 5.1.
"""

from __future__ import annotations

import re

HTTP_2 = "HTTP/2"
HTTP_0_9 = "HTTP/0.9"
JSON = "JSON without HTTP"
TLS = "TLS"

_MARKS = (
    (TLS, re.compile(rb"[\x14-\x17]\x03[\x00-\x04]")),
    ("SSH", re.compile(rb"SSH-")),
    ("the protocol of a mail or FTP server", re.compile(rb"(?:220|421|554)[ -]")),
    ("the protocol of a mail server", re.compile(rb"\+OK |\* OK ")),
    ("the protocol of Redis", re.compile(rb"-(?:ERR|NOAUTH|DENIED)\b|\$\d+\r\n")),
    ("the protocol of MySQL", re.compile(rb"[^\0]\0\0[\0\1]\x0a\d+\.\d+|[^\0]\0\0[\0\1]\xff")),
    ("the protocol of PostgreSQL", re.compile(rb"E\0\0..[A-Z]", re.DOTALL)),
    ("AMQP", re.compile(rb"AMQP")),
    ("VNC", re.compile(rb"RFB \d")),
    (HTTP_2, re.compile(rb"\0\0[\0-\x40]\x04[\0\1]\0\0\0\0|PRI \* HTTP/2")),
    (JSON, re.compile(rb"\s*\{\s*\"")),
    (HTTP_0_9, re.compile(rb"\s*<(?:!doctype|html)", re.IGNORECASE)),
)
"""Names, each after *responds in*, and how what comes begins."""


def name_of(data: bytes) -> str:
    """Name the protocol that `data`, the first bytes that came, belongs to; empty for an unknown one."""
    return next((name for name, mark in _MARKS if mark.match(data)), "")


def name_over_tcp(data: bytes) -> str:
    """Name the protocol of `data`, the first bytes that came where JSON-RPC was expected; empty for an unknown one."""
    name = name_of(data)
    if data.startswith(b"HTTP/") or name == HTTP_0_9:
        return "HTTP"
    return "" if name == JSON else name


def hint_for(name: str) -> str:
    """What to do where HTTP/1.1 was expected and that protocol is spoken."""
    if name == TLS:
        return "Change the URL to https."
    if name == HTTP_2:
        return "Let the server, or the proxy in front of it, speak HTTP/1.1 besides HTTP/2, and check the port."
    if name == JSON:
        return "Check the port; where messages come without HTTP, use a URL with tcp://."
    if name:
        return "Check the port: another kind of server listens there."
    return "Check the port, and whether the server speaks HTTP/2 alone: Spyglass speaks HTTP/1.1."
