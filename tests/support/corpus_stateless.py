"""Cases of the corpus as servers without a handshake play them: which cases name the stateless revision, and the servers.

A play is a case, or one variant of it. A test takes its plays as `@pytest.mark.parametrize("play", plays(…), ids=str)`: from that
the tests in `test_coverage.py` know that none is left out.
"""

from __future__ import annotations

import functools
import importlib
import json
import sys
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

from inspector.config.profile import Profile
from inspector.spec.revision import NEWEST
from inspector.wire import json_codec
from tests.support.answering import Silence
from tests.support.modern import ModernServer, complete, discovered, modern

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterator

    from inspector.open_session import OpenSession
    from inspector.wire.json_codec import Json, JsonObject
    from tests.support.answering import Answer

TESTS = Path(__file__).parents[1]
VARIANTS = ("variants", "eraVariants", "alsoVariants")
OFFERS: JsonObject = {"tools": {}, "resources": {}, "prompts": {}, "completions": {}}
LISTS = {
    "tools": "tools/list",
    "resources": "resources/list",
    "resourceTemplates": "resources/templates/list",
    "prompts": "prompts/list",
}
_FACTS = ('"ttlMs"', '"resultType"', '"server/discover"')
"""What in an input tells that it is about the stateless era, besides its date."""


@dataclass(frozen=True, slots=True)
class Play:
    """A case, or one variant of it."""

    case: str
    """The id of the case."""
    number: int
    """Of the variant, from 1; 0 where the case has none."""
    given: JsonObject
    """Its `input`, with the variant laid over it."""
    expect: JsonObject
    """Its `expect`, likewise."""

    def __str__(self) -> str:
        """How tests and coverage name it."""
        return f"{self.case}/{self.number}" if self.number else self.case

    @property
    def names_the_era(self) -> bool:
        """Whether the input says that it is about the stateless revision."""
        text = json.dumps(self.given)
        return (
            self.case.startswith("modern-")
            or self.given.get("era") == NEWEST.date
            or any(fact in text for fact in _FACTS)
        )


def plays(*names: str) -> list[Play]:
    """Every play of these cases; where a case lists eras, the one in the stateless era."""
    return [play for name in names for play in _plays(name)]


def all_plays() -> list[Play]:
    """Every play of every case that is here and names the stateless revision."""
    names = sorted({path.stem for path in TESTS.rglob("cases/**/*.json")})
    return [play for name in names for play in _plays(name) if play.names_the_era]


def played_in(folder: Path) -> dict[str, list[str]]:
    """The plays that the tests below `folder` take, each with the tests that take it."""
    found: dict[str, list[str]] = {}
    for path in sorted(folder.rglob("test_*.py")):
        if "plays(" in path.read_text():
            for test, play in _taken(path):
                found.setdefault(str(play), []).append(test)
    return found


def _taken(path: Path) -> Iterator[tuple[str, Play]]:
    name = ".".join(path.relative_to(TESTS.parent).with_suffix("").parts)
    module = importlib.import_module(name)
    for test in vars(module).values():
        for mark in getattr(test, "pytestmark", ()):
            if mark.name == "parametrize":
                for value in mark.args[1]:
                    if isinstance(value, Play):
                        yield f"{path.name}::{test.__name__}", value


@functools.cache
def _plays(name: str) -> tuple[Play, ...]:
    path = next(TESTS.rglob(f"cases/**/{name}.json"))
    case = cast("JsonObject", json_codec.read(path.read_bytes()).value)
    given, expect = cast("JsonObject", case["input"]), cast("JsonObject", case["expect"])
    key = next((key for key in VARIANTS if key in given), "")
    if not key:
        return (Play(name, 0, given, expect),)
    entries = cast("list[Json]", given[key])
    alone = [Play(name, 0, given, expect)] if key == "alsoVariants" else []
    made = [_variant(name, n, given, expect, e) for n, e in enumerate(entries, 1)]
    return tuple(alone + [each for each in made if each is not None])


def _variant(
    name: str, number: int, given: JsonObject, expect: JsonObject, entry: Json
) -> Play | None:
    base: JsonObject = {key: value for key, value in given.items() if key not in VARIANTS}
    if "eraVariants" in given:
        laid: JsonObject = {**base, "era": entry}
        return Play(name, number, laid, expect) if entry == NEWEST.date else None
    own = cast("JsonObject", entry) if isinstance(entry, dict) else {"variant": entry}
    if own.get("era", NEWEST.date) != NEWEST.date:
        return None
    wanted = cast("list[JsonObject]", expect.get("variants", []))
    none: JsonObject = {}
    more = next((each for each in wanted if each["n"] == number), none)
    return Play(name, number, {**base, **own}, {**expect, **more})


# Old servers

FALLBACK = """
import json, os, sys
how, started = sys.argv[1:3]
open(started, "a").write("x")
for line in sys.stdin:
    message = json.loads(line)
    answer = {"jsonrpc": "2.0", "id": message.get("id")}
    if message.get("method") == "server/discover":
        if how == "process exits with code 1":
            os._exit(1)
        if how == "none, stays silent":
            continue
        words = how.split()
        answer["error"] = {"code": int(words[1]) if words[1][0] == "-" else -32600, "message": how}
        if how == "error without id":
            del answer["id"]
    elif message.get("method") == "initialize":
        version = message["params"]["protocolVersion"]
        who = {"name": "old", "version": "1"}
        answer["result"] = {"protocolVersion": version, "capabilities": {}, "serverInfo": who}
    else:
        continue
    print(json.dumps(answer), flush=True)
"""


def old_server(play: Play, started: Path) -> Profile:
    """A real server of the older era that makes of `server/discover` what a play says; each start leaves a letter in `started`."""
    how = str(play.given["reply"])
    return Profile(
        name="old",
        command=sys.executable,
        args=("-I", "-S", "-c", FALLBACK, how, str(started)),
        timeout_seconds=1 if "silent" in how or "without id" in how else 5,
    )


# Playing


class CaseServer(ModernServer):
    """Lists and answers what a case says, with and without a handshake; what the case leaves open is answered properly."""

    def __init__(self, given: JsonObject) -> None:
        super().__init__(discover=discovered(capabilities=OFFERS))
        self._capabilities = OFFERS
        self.answers["initialize"] = self._greet
        for key, method in LISTS.items():
            self.answers[method] = _always(_listing(key, _listed(given, key)))
        if "listResult" in given:
            self.says("tools/list", cast("JsonObject", given["listResult"]))
        if "pages" in given:
            self.answers["tools/list"] = functools.partial(_page, given["pages"])
        self.answers["tools/call"] = lambda params: complete(content=[_text(params)])
        self.answers["resources/read"] = lambda params: _caching(contents=[_text(params)])
        self.answers["prompts/get"] = lambda params: complete(messages=[], asked=params)
        self.answers["completion/complete"] = lambda _: complete(completion={"values": []})

    def says(self, method: str, body: str | JsonObject) -> None:
        """Answer `method` with a whole message, in which `{{id}}` is the id; or with a result, which is said to be complete."""
        if isinstance(body, str):
            self.answers[method] = lambda _: self._send_later(body)
        else:
            self.answers[method] = _always({"resultType": "complete", **body})

    def _send_later(self, body: str) -> Json:
        self.send(body.replace("{{id}}", json_codec.write(self.received[-1]["id"])).encode())
        raise Silence


@asynccontextmanager
async def playing(
    server: ModernServer, *, declares: JsonObject | None = None, timeout: float = 5
) -> AsyncGenerator[OpenSession]:
    """A connected session with that server, its lists read."""
    async with modern(server=server, declares=declares, timeout=timeout) as (_, opened):
        yield opened


def grown(value: Json) -> Json:
    """`value` with what a case describes instead of writing it out."""
    if isinstance(value, list):
        return [grown(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "$repeat" in value:
        text, times = cast("list[Json]", value["$repeat"])
        return str(text) * cast("int", times)
    return {key: grown(item) for key, item in value.items() if key != "$gen"}


def _listed(given: JsonObject, key: str) -> list[Json]:
    one: JsonObject = {"name": "x", "inputSchema": {"type": "object"}}
    single = {"tools": "tool", "resourceTemplates": "template"}.get(key, "")
    if key in given:
        return cast("list[Json]", grown(given[key]))
    if single in given:
        return [grown(given[single])]
    return [one] if key == "tools" else []


def _listing(key: str, items: list[Json]) -> JsonObject:
    return _caching(**{key: items})


def _caching(**more: Json) -> JsonObject:
    return complete(ttlMs=0, cacheScope="private", **more)


def _page(pages: Json, params: JsonObject) -> Json:
    real = [page for page in cast("list[JsonObject]", pages) if "tools" in page]
    page = next((page for page in real if page["cursor"] == params.get("cursor")), real[-1])
    names = cast("list[Json]", page["tools"])
    tools: list[Json] = [{"name": name, "inputSchema": {"type": "object"}} for name in names]
    more: JsonObject = {"nextCursor": page["nextCursor"]} if "nextCursor" in page else {}
    return _caching(tools=tools, **more)


def _text(params: JsonObject) -> JsonObject:
    return {"type": "text", "uri": params.get("uri", ""), "text": json_codec.write(params)}


def _always(result: Json) -> Answer:
    return lambda _: result
