"""Ports for servers that have to be told one, rather than tell which one the system gave them."""

from __future__ import annotations

import itertools
import os
import socket

HERE = "127.0.0.1"

FIRST, LAST = 20_000, 32_000
"""Below what the system gives to clients: nothing takes a port from there between our look and the start of a server."""

EACH = 100
"""Ports that a process begins with for itself, so that workers beside each other do not choose the same."""

_ports = itertools.count(os.getpid() * EACH)


def free_port() -> int:
    """A port that nobody listens on just now; another one each time."""
    while True:
        port = FIRST + next(_ports) % (LAST - FIRST)
        with socket.socket() as probe:
            try:
                probe.bind((HERE, port))
            except OSError:
                continue
        return port
