"""Names of the HTTP headers that the specification defines. Names of headers have no case.

Source: basic/transports, "Session Management", "Protocol Version Header", "Resumability and Redelivery".
"""

from __future__ import annotations

SESSION_ID = "Mcp-Session-Id"
"""Names the session: given by the server with the answer to `initialize`, sent with everything after it."""

PROTOCOL_VERSION = "MCP-Protocol-Version"
"""The revision that was agreed on, with every request after the handshake."""

LAST_EVENT_ID = "Last-Event-ID"
"""The last event that was seen of a stream, to have what follows it."""
