"""`completion/complete`: suggestions while an argument is typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.demo.library import SHELVES
from inspector.demo.request_errors import INVALID_PARAMS, RpcError
from inspector.demo.resources import GREETINGS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from inspector.demo.conversation import Conversation
    from inspector.wire.json_codec import Json, JsonObject

    Suggest = Callable[[Conversation, JsonObject], Iterable[str]]

MAX_VALUES = 100
"""Values that one answer may hold. Source: completion, "Response"."""

CITIES: dict[str, tuple[str, ...]] = {
    "France": ("Bordeaux", "Lille", "Lyon", "Marseille", "Nantes", "Paris"),
    "Japan": ("Fukuoka", "Kyoto", "Nagoya", "Osaka", "Sapporo", "Tokyo"),
    "Norway": ("Bergen", "Bodø", "Oslo", "Stavanger", "Tromsø", "Trondheim"),
    "Portugal": ("Braga", "Coimbra", "Faro", "Lisbon", "Porto", "Évora"),
}

PEOPLE: dict[str, tuple[str, ...]] = {
    "arabic": ("Amina", "Hassan", "Layla"),
    "hebrew": ("Noa", "Yael", "Yonatan"),
    "japanese": ("Aiko", "Haruki", "Yuki"),
}
"""Names where the language is known; elsewhere the many below."""

STARTS = ("Al", "Ber", "Cor", "Dal", "El", "Fal", "Gil", "Hal", "Ir", "Jor", "Kal", "Lor", "Mir")
ENDINGS = ("an", "ara", "bert", "den", "do", "eth", "ia", "in", "on")
MANY = tuple(start + ending for start in STARTS for ending in ENDINGS)
"""More than one answer may hold."""

PROGRAMMING = (
    "c",
    "c++",
    "go",
    "haskell",
    "java",
    "javascript",
    "kotlin",
    "python",
    "ruby",
    "rust",
    "sql",
    "swift",
)


def complete(conversation: Conversation, params: JsonObject) -> JsonObject:
    """`completion/complete`."""
    ref, argument = params.get("ref"), params.get("argument")
    if not isinstance(ref, dict) or not isinstance(argument, dict):
        raise RpcError(INVALID_PARAMS, "ref and argument must be objects")
    suggest = _suggestions(conversation).get(_key(ref, argument))
    if suggest is None:
        raise RpcError(
            INVALID_PARAMS, "Nothing to complete there", {"ref": ref, "argument": argument}
        )
    typed = str(argument.get("value", "")).casefold()
    known = suggest(conversation, _chosen(params))
    found = [value for value in known if value.casefold().startswith(typed)]
    values: list[Json] = [*found[:MAX_VALUES]]
    return {
        "completion": {"values": values, "total": len(found), "hasMore": len(found) > MAX_VALUES}
    }


def _suggestions(conversation: Conversation) -> Mapping[tuple[str, str], Suggest]:
    return SUGGESTIONS | CONFORMANCE if conversation.options.conformance else SUGGESTIONS


def _key(ref: JsonObject, argument: JsonObject) -> tuple[str, str]:
    name = ref.get("name") if ref.get("type") == "ref/prompt" else ref.get("uri")
    return str(name), str(argument.get("name"))


def _chosen(params: JsonObject) -> JsonObject:
    """The other arguments, where the client sends them."""
    context = params.get("context")
    chosen = context.get("arguments") if isinstance(context, dict) else None
    return chosen if isinstance(chosen, dict) else {}


def _languages(conversation: Conversation, chosen: JsonObject) -> Iterable[str]:
    del conversation, chosen
    return GREETINGS


def _people(conversation: Conversation, chosen: JsonObject) -> Iterable[str]:
    del conversation
    return PEOPLE.get(str(chosen.get("language")), MANY)


def _programming(conversation: Conversation, chosen: JsonObject) -> Iterable[str]:
    del conversation, chosen
    return PROGRAMMING


def _countries(conversation: Conversation, chosen: JsonObject) -> Iterable[str]:
    del conversation, chosen
    return CITIES


def _cities(conversation: Conversation, chosen: JsonObject) -> Iterable[str]:
    del conversation
    country = chosen.get("country")
    if isinstance(country, str) and country:
        return CITIES.get(country, ())
    return sorted(city for cities in CITIES.values() for city in cities)


def _notes(conversation: Conversation, chosen: JsonObject) -> Iterable[str]:
    del chosen
    notes = conversation.notebook.entries()["notes"]
    entries = notes if isinstance(notes, list) else []
    return [str(entry["number"]) for entry in entries if isinstance(entry, dict)]


def _shelves(conversation: Conversation, chosen: JsonObject) -> Iterable[str]:
    del conversation, chosen
    return SHELVES


def _books(conversation: Conversation, chosen: JsonObject) -> Iterable[str]:
    del conversation, chosen
    return sorted(name for names in SHELVES.values() for name in names)


SUGGESTIONS: dict[tuple[str, str], Suggest] = {
    ("greet", "language"): _languages,
    ("greet", "name"): _people,
    ("translate", "language"): _languages,
    ("review_code", "language"): _programming,
    ("plan_trip", "country"): _countries,
    ("plan_trip", "city"): _cities,
    ("demo://greeting/{language}/{name}", "language"): _languages,
    ("demo://greeting/{language}/{name}", "name"): _people,
    ("demo://notes/{number}", "number"): _notes,
    ("demo://library{/path*}", "path"): _shelves,
    ("demo://search{?q,limit}", "q"): _books,
}
"""By prompt or template, and argument."""

CONFORMANCE: dict[tuple[str, str], Suggest] = {
    ("test_prompt_with_arguments", "arg1"): _languages,
}
"""What the conformance suite completes besides."""
