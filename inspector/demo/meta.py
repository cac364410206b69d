"""What the stateless era reserves: keys of `_meta`, types of results, codes of errors.

Source: basic, "_meta", "Error Codes".
"""

from __future__ import annotations

_OURS = "io.modelcontextprotocol/"

PROTOCOL_VERSION = _OURS + "protocolVersion"
CLIENT_CAPABILITIES = _OURS + "clientCapabilities"
CLIENT_INFO = _OURS + "clientInfo"
LOG_LEVEL = _OURS + "logLevel"
SERVER_INFO = _OURS + "serverInfo"
SUBSCRIPTION_ID = _OURS + "subscriptionId"

COMPLETE = "complete"
INPUT_REQUIRED = "input_required"
TASK = "task"

HEADER_MISMATCH = -32020
MISSING_CAPABILITY = -32021
UNSUPPORTED_VERSION = -32022
