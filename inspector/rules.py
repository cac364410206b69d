"""Every rule that a finding can name.

The ids are those of the catalog of rules and never change: searches of recordings and reports may rely on them. An id alone tells
a reader nothing, so it is displayed with its title. To add a rule, add a row below its topic and one function that
yields its findings.
"""

from __future__ import annotations

from inspector.finding import Severity
from inspector.frozen import FrozenStruct

ERROR, WARNING, INFO = Severity.ERROR, Severity.WARNING, Severity.INFO


class Rule(FrozenStruct, frozen=True):
    """What the findings of one id have in common."""

    id: str
    """`L-…` for a rule of the catalog, a plain name such as `late-response` for an observation of Spyglass."""
    severity: Severity
    """The severity of its findings, unless a case is more or less severe."""
    subject: str
    """The topic of `spec.spec_urls` that describes it; empty if the specification does not."""
    title: str
    """What is wrong, in at most 60 characters."""


def rule_label(rule: str) -> str:
    """Return an id with its title, e.g. `L-JR-23 · result without resultType`; a plain name stays alone, e.g. `late-response`."""
    known = RULES.get(rule) if rule.startswith("L-") else None
    return f"{rule} · {known.title}" if known else rule


_ROWS: dict[str, tuple[tuple[str, Severity, str], ...]] = {
    "authorization": (
        ("L-AUT-01", ERROR, "401 without a link to resource metadata"),
        ("L-AUT-02", ERROR, "no resource metadata where it should be"),
        ("L-AUT-03", ERROR, "resource metadata without authorization servers"),
        ("L-AUT-04", ERROR, "resource metadata of another server"),
        ("L-AUT-05", ERROR, "no authorization server metadata where it should be"),
        ("L-AUT-06", ERROR, "issuer differs from the requested one"),
        ("L-AUT-07", ERROR, "PKCE with S256 not listed"),
        ("L-AUT-08", ERROR, "endpoint without https"),
        ("L-AUT-09", WARNING, "challenge without scope"),
        ("L-AUT-10", WARNING, "offline_access as a scope of the resource"),
        ("L-AUT-13", ERROR, "request without a valid token not refused with 401"),
        ("L-AUT-14", ERROR, "iss and its advertisement do not agree"),
        ("L-AUT-15", INFO, "callback without iss"),
        ("L-AUT-16", WARNING, "no way to register a client"),
        ("L-AUT-17", INFO, "dynamic registration alone"),
        ("L-AUT-19", WARNING, "access token that lives long"),
        ("L-AUT-22", INFO, "scopes for everything"),
        ("L-AUT-23", ERROR, "authorization endpoint that is dangerous to open"),
    ),
    "batching": (
        ("L-JR-15", ERROR, "batch in a revision without batches"),
        ("L-JR-16", ERROR, "batch empty or mixed"),
    ),
    "caching": (
        ("L-CCH-01", ERROR, "ttlMs or cacheScope missing"),
        ("L-CCH-02", ERROR, "ttlMs is not a non-negative integer"),
        ("L-CCH-03", ERROR, "cacheScope is neither public nor private"),
    ),
    "cancellation": (("L-CAN-01", ERROR, "cancellation of a request that was not sent"),),
    "capabilities": (("L-CAP-07", ERROR, "capability of the wrong type"),),
    "completion": (
        ("L-CMP-01", ERROR, "more than 100 completion values"),
        ("L-CMP-02", ERROR, "completion values missing or not strings"),
        ("L-CMP-03", WARNING, "total and hasMore do not fit the values"),
        ("L-CMP-04", INFO, "completion values duplicated or not matching"),
    ),
    "deprecated": (("L-CAP-12", INFO, "deprecated capability"),),
    "discover": (
        ("L-DSC-02", ERROR, "discover result incomplete"),
        ("L-DSC-05", INFO, "supportedVersions empty, duplicated or not dates"),
        ("L-MET-04", WARNING, "result without serverInfo in _meta"),
    ),
    "elicitation": (
        ("L-ELI-01", ERROR, "form requests a secret"),
        ("L-ELI-02", ERROR, "message or requestedSchema missing or malformed"),
        ("L-ELI-03", ERROR, "form schema nested or with unsupported keywords"),
        ("L-ELI-04", WARNING, "format not allowed in a form"),
        ("L-ELI-08", ERROR, "elicitation mode that was not declared"),
        ("L-ELI-09", ERROR, "URL elicitation incomplete"),
        ("L-ELI-11", WARNING, "URL is not https"),
        ("L-ELI-12", WARNING, "URL contains credentials"),
        ("L-ELI-13", WARNING, "URL inside the text of a form"),
        ("L-ELI-14", WARNING, "completion of an unknown elicitation"),
        ("L-ELI-15", ERROR, "error -32042 without its elicitations"),
        ("L-ELI-20", WARNING, "host uses Punycode or another domain"),
    ),
    "errors": (
        ("L-JR-07", ERROR, "error object malformed"),
        ("L-JR-08", ERROR, "error response without an id"),
        ("L-JR-09", INFO, "error response with a null id"),
        ("L-JR-20", WARNING, "error message too long, or a stack trace"),
        ("L-JR-25", ERROR, "error code reserved and not defined"),
        ("L-JR-26", ERROR, "error code retired"),
        ("L-JR-27", WARNING, "error code of an earlier range"),
        ("L-JR-29", ERROR, "error code used with another meaning"),
    ),
    "extensions": (("L-DSC-13", ERROR, "extension id malformed"),),
    "http": (
        ("L-HTTP-01", ERROR, "response of another content type"),
        ("L-HTTP-03", WARNING, "accepted message not answered by 202"),
        ("L-HTTP-04", WARNING, "202 with a body"),
        ("L-HTTP-05", ERROR, "refused message answered by 2xx or a result"),
        ("L-HTTP-06", WARNING, "request answered without a response"),
        ("L-HTTP-07", WARNING, "GET answered by neither a stream nor 405"),
        ("L-HTTP-09", WARNING, "Origin not validated, or refused by another status"),
        ("L-HTTP-11", WARNING, "local server reachable from the network"),
        ("L-HTTP-14", WARNING, "error with an HTTP status of success"),
        ("L-HTTP-15", WARNING, "error with an id as the answer to a notification"),
        ("L-MOD-09", WARNING, "missing parameter header accepted"),
        ("L-SES-01", ERROR, "session id is not visible ASCII"),
        ("L-SES-03", WARNING, "session id changed within the session"),
        ("L-SES-19", WARNING, "reconnection delay of almost nothing"),
        ("no-session-id", INFO, "initialize response without a session id"),
        ("result-with-error-status", WARNING, "result with an HTTP error status"),
    ),
    "icons": (
        ("L-ICO-01", WARNING, "icon source is neither https nor data"),
        ("L-ICO-03", ERROR, "icon size or theme malformed"),
    ),
    "input-required": (
        ("L-JR-22", ERROR, "request sent by the server"),
        ("L-MRTR-01", ERROR, "neither inputRequests nor requestState"),
        ("L-MRTR-02", ERROR, "input required by a method that must not"),
        ("L-MRTR-04", ERROR, "input request for an undeclared capability"),
        ("L-MRTR-05", ERROR, "requestState or inputRequests malformed"),
        ("L-MRTR-09", WARNING, "endless rounds"),
        ("L-MRTR-12", WARNING, "requestState very large"),
    ),
    "lifecycle": (
        ("L-IMP-01", ERROR, "implementation without name or version"),
        ("L-LC-01", ERROR, "initialize result incomplete"),
        ("L-LC-04", ERROR, "protocolVersion is not a published revision"),
        ("L-LC-10", INFO, "instructions empty, very long or repeated"),
        ("L-LC-12", ERROR, "initialize answered inside a batch"),
    ),
    "logging": (
        ("L-CAP-01", WARNING, "works although the capability is not declared"),
        ("L-LOG-01", ERROR, "log message without a valid level or data"),
    ),
    "messages": (
        ("L-JR-01", ERROR, 'jsonrpc is not "2.0"'),
        ("L-JR-02", ERROR, "no request, notification or response"),
        ("L-JR-03", ERROR, "response with both or neither of result and error"),
        ("L-JR-10", ERROR, "notification with an id, or request with a null id"),
        ("L-JR-11", ERROR, "id is neither string nor integer"),
        ("L-JR-18", ERROR, "not valid UTF-8"),
        ("L-JR-19", ERROR, "JSON that parsers read differently"),
        ("L-JR-21", ERROR, "result is not an object"),
        ("L-JR-23", ERROR, "result without resultType"),
        ("L-JR-24", ERROR, "resultType unknown"),
        ("L-JR-30", ERROR, "message does not match the schema of its revision"),
        ("L-JR-31", WARNING, "notification method unknown"),
        ("L-JR-32", ERROR, "server request for an undeclared capability"),
        ("L-JR-33", WARNING, "server request method unknown in this revision"),
        ("L-JR-34", INFO, "method or field of another revision"),
        ("wrong-id", WARNING, "response with an unknown id"),
    ),
    "meta": (
        ("L-MET-01", ERROR, "_meta key malformed"),
        ("L-MET-02", WARNING, "_meta key with a reserved prefix"),
    ),
    "pagination": (
        ("L-PAG-01", ERROR, "nextCursor is not a string"),
        ("L-PAG-04", WARNING, "cursor that comes back"),
        ("L-PAG-05", WARNING, "items repeated across pages"),
        ("L-PAG-06", INFO, "empty page before the last"),
    ),
    "progress": (
        ("L-PRG-03", ERROR, "progress does not increase"),
        ("L-PRG-04", INFO, "progress negative or above its total"),
        ("L-PRG-06", WARNING, "too many progress notifications"),
        ("L-PRG-07", ERROR, "progress or total is not a number"),
        ("L-PRG-09", INFO, "progress message in a revision without it"),
    ),
    "prompts": (
        ("L-PRM-01", WARNING, "prompt or argument without a unique name"),
        ("L-PRM-03", ERROR, "prompt messages missing or malformed"),
    ),
    "resources": (
        ("L-ANN-01", ERROR, "audience is neither user nor assistant"),
        ("L-ANN-02", ERROR, "priority outside 0 to 1"),
        ("L-ANN-03", WARNING, "lastModified is not an ISO 8601 date"),
        ("L-RES-01", ERROR, "resource without a name or a valid URI"),
        ("L-RES-02", WARNING, "duplicate URI"),
        ("L-RES-03", ERROR, "URI template malformed"),
        ("L-RES-05", ERROR, "resource contents malformed"),
        ("L-RES-10", INFO, "empty contents"),
    ),
    "sampling": (
        ("L-SMP-01", ERROR, "sampling request malformed"),
        ("L-SMP-02", ERROR, "tools although sampling.tools is not declared"),
        ("L-SMP-03", WARNING, "context although sampling.context is not declared"),
        ("L-SMP-04", ERROR, "tool result mixed with other content"),
        ("L-SMP-05", ERROR, "tool use without its tool result"),
        ("L-SMP-06", ERROR, "model preferences or tool choice malformed"),
        ("L-SMP-08", WARNING, "content array or tools of a later revision"),
    ),
    "schemas": (
        ("L-TOOL-09", ERROR, "schema is invalid"),
        ("L-TOOL-10", INFO, "schema of an unknown dialect"),
        ("L-TOOL-11", INFO, "schema refers to the network"),
        ("L-TOOL-12", WARNING, "reference inside a schema leads nowhere"),
    ),
    "stdio": (("L-STD-04", INFO, "CRLF line end or byte order mark"),),
    "subscriptions": (
        ("L-SUB-01", ERROR, "stream without an acknowledgment at its start"),
        ("L-SUB-02", ERROR, "subscriptionId missing or wrong"),
        ("L-SUB-03", ERROR, "notification that was not requested"),
        ("L-SUB-05", ERROR, "more acknowledged than requested"),
        ("L-SUB-07", ERROR, "final result incomplete"),
        ("L-SUB-08", ERROR, "progress or log message on a listen stream"),
        ("L-SUB-09", ERROR, "notification outside of a listen stream"),
        ("L-SUB-13", ERROR, "task ids accepted without the tasks extension"),
    ),
    "tasks": (
        ("L-TK4-01", ERROR, "create task result malformed"),
        ("L-TK4-02", ERROR, "task does not start as working"),
        ("L-TK4-03", ERROR, "invalid change of the status of a task"),
        ("L-TK4-04", ERROR, "task id not unique"),
        ("L-TK4-05", ERROR, "task request answered by a plain result, or the reverse"),
        ("L-TK4-07", ERROR, "task result without its related task"),
        ("L-TK4-08", ERROR, "message for a task without its related task"),
        ("L-TK4-09", WARNING, "related task where none belongs"),
        ("L-TK4-10", ERROR, "task result before the task has ended"),
        ("L-TK4-11", ERROR, "task error without code -32602"),
        ("L-TK4-12", ERROR, "cancelled task is not cancelled"),
        ("L-TK4-15", ERROR, "task times malformed or not advancing"),
        ("L-TKX-01", ERROR, "task although the extension was not declared"),
        ("L-TKX-02", ERROR, "task and resultType do not fit"),
        ("L-TKX-03", ERROR, "task for a method that cannot have one"),
        ("L-TKX-04", ERROR, "task malformed"),
        ("L-TKX-05", ERROR, "new task unknown to tasks/get"),
        ("L-TKX-06", INFO, "task result without resultType complete"),
        ("L-TKX-07", ERROR, "task status and members do not fit"),
        ("L-TKX-08", ERROR, "failed used for a tool error"),
        ("L-TKX-09", ERROR, "input request key reused"),
        ("L-TKX-10", ERROR, "unknown task without code -32602"),
        ("L-TKX-11", ERROR, "undeclared client not refused with -32021"),
        ("L-TKX-12", ERROR, "acknowledgment is not empty"),
        ("L-TKX-13", ERROR, "progress or log message of a task on a listen stream"),
        ("L-TKX-14", ERROR, "task changes after its end"),
        ("L-TKX-15", WARNING, "task method of an earlier revision"),
        ("L-TKX-16", WARNING, "task id can be guessed"),
        ("L-TKX-17", ERROR, "task notification incomplete"),
        ("L-TKX-19", ERROR, "task parameter of an earlier revision has an effect"),
        ("L-TKX-20", WARNING, "task required without saying so"),
        ("L-TKX-21", ERROR, "outstanding input request omitted or repeated"),
    ),
    "tools": (
        ("L-TOOL-01", ERROR, "tool without a name or an object as inputSchema"),
        ("L-TOOL-02", WARNING, "tool name of a length outside 1 to 128"),
        ("L-TOOL-03", WARNING, "tool name with unusual characters"),
        ("L-TOOL-04", WARNING, "duplicate tool name"),
        ("L-TOOL-05", INFO, "tool names that differ only by case"),
        ("L-TOOL-14", ERROR, "boolean schema of a property"),
        ("L-TOOL-17", ERROR, "outputSchema is not of type object"),
        ("L-TOOL-18", ERROR, "structured content missing"),
        ("L-TOOL-19", ERROR, "structured content breaks the output schema"),
        ("L-TOOL-20", ERROR, "structuredContent is not an object"),
        ("L-TOOL-21", WARNING, "text and structured content differ"),
        ("L-TOOL-22", ERROR, "no text beside structured content that is not an object"),
        ("L-TOOL-23", ERROR, "content missing"),
        ("L-TOOL-24", INFO, "empty result"),
        ("L-TOOL-27", WARNING, "unknown tool answered without -32602"),
        ("L-TOOL-36", ERROR, "taskSupport invalid"),
        ("L-TOOL-37", INFO, "execution is not part of this revision"),
        ("L-TOOL-38", ERROR, "parameter header invalid"),
        ("L-TOOL-41", ERROR, "resource link without URI or name"),
        ("L-TOOL-42", ERROR, "media data or type invalid"),
        ("L-TOOL-43", WARNING, "bytes of another media type"),
        ("L-TOOL-44", ERROR, "content type unknown in this revision"),
        ("unlisted-tool", WARNING, "call of a tool that is not listed"),
    ),
    "": (
        ("L-HTTP-02", WARNING, "body is not JSON or not UTF-8"),
        ("L-HTTP-08", INFO, "405 without an Allow header"),
        ("L-HTTP-10", INFO, "no TLS on the way to another host"),
        ("L-HTTP-12", INFO, "POST redirected"),
        ("L-HTTP-13", INFO, "error without a JSON-RPC body"),
        ("L-Q-03", WARNING, "invisible or reordering characters"),
        ("announced-after-end", INFO, "notification on a stream that has ended"),
        ("cancel-unknown", INFO, "cancellation of a request that is not pending"),
        ("late-response", INFO, "response after its request was done"),
        ("line-budget", ERROR, "line longer than the budget"),
        ("media-ends-early", WARNING, "media data that ends early"),
        ("more-findings", INFO, "findings beyond the number that is kept"),
        ("not-a-message", ERROR, "line that is not a message"),
        ("not-judged", INFO, "too large or too deep to be validated"),
        ("probe-ended-server", INFO, "connection ended by server/discover"),
        ("probe-ignored", INFO, "no response to server/discover"),
        ("progress-after-end", INFO, "progress of a request that is done"),
        ("session-gone", INFO, "session unknown to the server"),
        ("session-id-missing", INFO, "session id not repeated"),
        ("slow-start", INFO, "slow first response"),
        ("split-message", ERROR, "message spread over several lines"),
        ("stored-number", WARNING, "number of a recording that cannot be right"),
        ("stored-value", WARNING, "value of a recording that cannot be right"),
        ("too-many-items", WARNING, "list page with too many items"),
        ("unreadable-frame", ERROR, "frame of a recording that cannot be read"),
        ("missing-frame", ERROR, "frame missing from a recording"),
    ),
}
"""Topic → the rules that it describes: id, severity, title."""

RULES: dict[str, Rule] = {
    id_: Rule(id_, severity, subject, title)
    for subject, rows in _ROWS.items()
    for id_, severity, title in rows
}
"""Every rule, by its id."""
