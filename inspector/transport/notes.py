"""Events of the notes of transports that other modules read, live and in recordings."""

from __future__ import annotations

NO_SESSION = "no-session"
"""The response to `initialize` has no session id."""

BAD_SESSION = "bad-session"
"""The response to `initialize` has a session id that cannot be sent back."""

NOT_ENCRYPTED = "not-encrypted"
"""The server is on another host and the connection has no TLS."""

OWN_ADDRESS = "own-address"
"""The server is on this computer and is reached at a network address."""
