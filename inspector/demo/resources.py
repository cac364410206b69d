"""Resources: listed, read, subscribed to; and the templates that make URIs for more of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.demo.conformance import resources as conformance
from inspector.demo.content import pretty, text_contents
from inspector.demo.library import EXTRA, RESOURCES, SHELVES, book
from inspector.demo.paging import page
from inspector.demo.request_errors import INVALID_PARAMS, RpcError
from inspector.demo.revision_filter import ENTRY_FIELDS, fitted

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.demo.conversation import Conversation
    from inspector.demo.library import Resource
    from inspector.wire.json_codec import Json, JsonObject

    Fill = Callable[[Conversation, dict[str, str]], "tuple[str, str] | None"]

GREETINGS = {
    "arabic": "مرحبا",
    "english": "Hello",
    "finnish": "Hei",
    "french": "Bonjour",
    "german": "Guten Tag",
    "hebrew": "שלום",
    "japanese": "こんにちは",
    "portuguese": "Bom dia",
    "spanish": "Hola",
    "turkish": "Merhaba",
}
"""A word for every language that we greet in."""

TEMPLATES: tuple[JsonObject, ...] = (
    {
        "uriTemplate": "demo://greeting/{language}/{name}",
        "name": "greeting",
        "title": "A greeting",
        "description": "Greets by name. Both variables have completion; names depend on the language.",
        "mimeType": "text/plain",
        "annotations": {"audience": ["user"], "priority": 0.8},
    },
    {
        "uriTemplate": "demo://notes/{number}",
        "name": "note",
        "title": "One note",
        "description": "One page of the notebook that the tools called notes_… change.",
        "mimeType": "application/json",
    },
    {
        "uriTemplate": "demo://library{/path*}",
        "name": "library",
        "title": "The library",
        "description": "A shelf (one step) or a book of it (two steps), as a path.",
        "mimeType": "text/markdown",
    },
    {
        "uriTemplate": "demo://search{?q,limit}",
        "name": "search",
        "title": "Search the library",
        "description": "Books whose name contains q, at most limit of them; both may be left out.",
        "mimeType": "application/json",
    },
)


def listed(conversation: Conversation, params: JsonObject) -> JsonObject:
    """`resources/list`."""
    entries = [resource.entry(conversation.revision) for resource in _resources(conversation)]
    return page("resources", entries, params, conversation.options)


def templates(conversation: Conversation, params: JsonObject) -> JsonObject:
    """`resources/templates/list`."""
    first = (conformance.TEMPLATE,) if conversation.options.conformance else ()
    entries = [fitted(entry, ENTRY_FIELDS, conversation.revision) for entry in (*first, *TEMPLATES)]
    return page("resourceTemplates", entries, params, conversation.options)


def read(conversation: Conversation, params: JsonObject) -> JsonObject:
    """`resources/read`."""
    uri = _uri(params)
    for resource in _resources(conversation):
        if resource.uri == uri:
            kept = _UNCHANGING if resource.size and conversation.inputs is not None else {}
            return {"contents": resource.contents(conversation), **kept}
    for pattern, fill in _fills(conversation):
        match = pattern.fullmatch(uri)
        filled = fill(conversation, match.groupdict("")) if match else None
        if filled is not None:
            return {"contents": [text_contents(uri, *filled)]}
    raise RpcError(
        conversation.revision.resource_not_found_code, "Resource not found", {"uri": uri}
    )


def subscribe(conversation: Conversation, params: JsonObject) -> JsonObject:
    """`resources/subscribe`; any URI will do, as it may come to exist."""
    conversation.subscriptions.add(_uri(params))
    return {}


def unsubscribe(conversation: Conversation, params: JsonObject) -> JsonObject:
    """`resources/unsubscribe`."""
    conversation.subscriptions.discard(_uri(params))
    return {}


def _resources(conversation: Conversation) -> tuple[Resource, ...]:
    first = conformance.RESOURCES if conversation.options.conformance else ()
    last = (EXTRA,) if "resource" in conversation.extras else ()
    every = (*first, *RESOURCES, *last)
    return tuple(each for each in every if each.is_known(conversation.revision))


_UNCHANGING: JsonObject = {"ttlMs": 3_600_000, "cacheScope": "public"}
"""How long what never changes may be kept, where that is said."""


def _fills(conversation: Conversation) -> tuple[tuple[re.Pattern[str], Fill], ...]:
    first = (conformance.PATTERN, conformance.filled)
    return (first, *_FILLS) if conversation.options.conformance else _FILLS


def _uri(params: JsonObject) -> str:
    uri = params.get("uri")
    if not isinstance(uri, str):
        raise RpcError(INVALID_PARAMS, "uri must be a string")
    return uri


# Each fills one template: the MIME type and the text, or None when there is no such thing.


def _greeting(conversation: Conversation, values: dict[str, str]) -> tuple[str, str] | None:
    del conversation
    word = GREETINGS.get(_decoded(values["language"]))
    name = _decoded(values["name"])
    return None if word is None else ("text/plain", f"{word}, {name}!")


def _note(conversation: Conversation, values: dict[str, str]) -> tuple[str, str] | None:
    note = conversation.notebook.note(int(values["number"]))
    return None if note is None else ("application/json", pretty(note.entry()))


def _shelf_or_book(conversation: Conversation, values: dict[str, str]) -> tuple[str, str] | None:
    del conversation
    shelf, name = values["shelf"], values["book"].removesuffix(".md")
    if shelf not in SHELVES or (name and name not in SHELVES[shelf]):
        return None
    text = book(shelf, name) if name else "".join(f"- {each}\n" for each in SHELVES[shelf])
    return "text/markdown", text


def _search(conversation: Conversation, values: dict[str, str]) -> tuple[str, str] | None:
    del conversation
    query = {name: _decoded(value) for name, value in _PAIR.findall(values["query"])}
    limit = query.get("limit", "")
    found: list[Json] = [
        f"demo://library/{shelf}/{name}.md"
        for shelf, names in SHELVES.items()
        for name in names
        if query.get("q", "").casefold() in name
    ]
    return "application/json", pretty(found[: int(limit)] if limit.isdecimal() else found)


_PAIR = re.compile(r"([^&=]+)=([^&]*)")
_ESCAPE = re.compile(rb"%([0-9A-Fa-f]{2})")


def _decoded(text: str) -> str:
    """Undo percent-encoding; `urllib` would take longer to load than most of this package."""
    raw = _ESCAPE.sub(lambda match: bytes.fromhex(match[1].decode()), text.encode())
    return raw.decode(errors="replace")


_FILLS: tuple[tuple[re.Pattern[str], Fill], ...] = (
    (re.compile(r"demo://greeting/(?P<language>[^/]+)/(?P<name>[^/]+)"), _greeting),
    (re.compile(r"demo://notes/(?P<number>[0-9]{1,9})"), _note),
    (re.compile(r"demo://library/(?P<shelf>[^/]+)(/(?P<book>[^/]+))?"), _shelf_or_book),
    (re.compile(r"demo://search(\?(?P<query>.*))?"), _search),
)
