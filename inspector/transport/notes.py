"""Events of notes that transports write about a connection, where others read them: a recording tells what the live session did."""

from __future__ import annotations

NO_SESSION = "no-session"
"""The response to `initialize` has no session id."""

BAD_SESSION = "bad-session"
"""It has one that cannot be sent back."""

NOT_ENCRYPTED = "not-encrypted"
"""There is no TLS on the way to another host."""

OWN_ADDRESS = "own-address"
"""The server is on this computer, and is reached by an address of the network."""
