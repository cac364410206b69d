"""Plays one case of the corpus as a live server on stdin and stdout.

    python -I -S corpus_player.py CASE.json [--variant N] [--log FILE]

What a case says is done to the letter; for the rest this is a well-behaved server of the case's era. A key that is not
understood ends the program with exit code 2. The log has one JSON object for each line that came. Nothing but the standard
library is imported, and little of that: it is started often.
"""

from __future__ import annotations

import json
import os
import random
import re
import sys
import threading
import time
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

Value: TypeAlias = "None | bool | int | float | str | list[Value] | dict[str, Value]"
Object: TypeAlias = "dict[str, Value]"

TOOL: Object = {"name": "a", "inputSchema": {"type": "object"}}
UNASKED_SECONDS = 0.2
"""How long after the handshake the server speaks of itself."""

HARNESS_KEYS = {
    "transport", "era", "variants", "note", "call", "clientTimeoutMs", "resetOnProgress", "idStrategy",
    "onRestart", "body", "maxTotalMs", "probe",
}  # fmt: skip
"""Keys of an input that tell the client what to do, or nobody anything."""


# Notation


def load(path: str, variant: int) -> Object:
    """The input of a case with entry `variant` of its variants laid over it; 0 is the input alone."""
    with open(path, encoding="utf-8") as file:  # noqa: PTH123 - pathlib takes as long to import as the rest
        given: Object = json.load(file)["input"]
    variants = given.get("variants")
    entry: Value = variants[variant - 1] if variant and isinstance(variants, list) else {}
    return {**given, **({"bodies": [entry]} if isinstance(entry, str) else _object(entry))}


def expand(value: Value) -> Value:
    """Carry out the generators inside a value."""
    if isinstance(value, list):
        return [expand(item) for item in value]
    if not isinstance(value, dict):
        return value
    if set(value) == {"$repeat"}:
        text, times = value["$repeat"]  # type: ignore[misc] - notation
        return text * times  # type: ignore[operator] - notation
    return {name: expand(item) for name, item in value.items() if name != "$gen"}


def fill(text: str, id_text: str) -> str:
    """Replace the placeholders of a text."""

    def one(match: re.Match[str]) -> str:
        if times := re.fullmatch(r"(.)\*(\d+)", match[1]):
            return times[1] * int(times[2])
        names = {"id": id_text, "idRaw": id_text.strip('"')}
        return names[match[1]] if match[1] in names else refuse(f"placeholder {match[0]}")

    return re.sub(r"\{\{([^{}]*)\}\}", one, text)


def refuse(what: str) -> str:
    """End the program: the case uses notation that is not understood here."""
    sys.stderr.write(f"not understood: {what}\n")
    sys.stderr.flush()
    os._exit(2)


def parts(value: Value) -> str:
    """Text that is given in pieces."""
    assert isinstance(value, list)
    return "".join(str(expand(part)) for part in value)


# Talking


class Wire:
    """Both directions of the conversation."""

    def __init__(self, log: str | None) -> None:
        self._lock = threading.Lock()
        self._log = open(log, "a", encoding="utf-8") if log else None  # noqa: PTH123, SIM115 - for as long as we live

    def read(self) -> bytes:
        """The next line; empty at the end."""
        raw = sys.stdin.buffer.readline()
        if raw and self._log is not None:
            self._log.write(json.dumps({"t": time.monotonic(), "raw": raw.decode().rstrip("\n")}))
            self._log.write("\n")
            self._log.flush()
        return raw

    def write(self, data: bytes | str) -> None:
        """Write to stdout, all of it."""
        with self._lock:
            sys.stdout.buffer.write(data if isinstance(data, bytes) else data.encode())
            sys.stdout.buffer.flush()

    def send(self, message: Value) -> None:
        """Send a message."""
        self.write(json.dumps(message, ensure_ascii=False) + "\n")


def later(seconds: float, work: Callable[[], object]) -> None:
    """Run `work` after a while, unless the program has ended."""
    timer = threading.Timer(seconds, work)
    timer.daemon = True
    timer.start()


class Request:
    """One message of the client."""

    def __init__(self, raw: bytes) -> None:
        self.message: Object = json.loads(raw)
        self.method = str(self.message.get("method", ""))
        self.params = _object(self.message.get("params"))
        self.expects_answer = "id" in self.message and "method" in self.message
        self.id_text = json.dumps(self.message.get("id"))

    def result(self, result: Value) -> Object:
        """The message that answers it."""
        return {"jsonrpc": "2.0", "id": self.message.get("id"), "result": result}

    def error(self, error: Value) -> Object:
        """The message that refuses it."""
        return {"jsonrpc": "2.0", "id": self.message.get("id"), "error": error}


def _object(value: Value) -> Object:
    return value if isinstance(value, dict) else {}


# Kind stdio


class Script:
    """The steps of a case of kind stdio."""

    def __init__(self, given: Object, wire: Wire) -> None:
        self._steps: list[Object] = given.pop("steps")  # type: ignore[assignment] - notation
        self._wire = wire

    def spawn(self) -> None:
        """What comes before anything is read."""
        for step in self._steps:
            on = str(step["on"])
            if on == "spawn":
                self._perform(step, "null")
            elif on.startswith("afterMs:"):
                time.sleep(int(on.partition(":")[2]) / 1000)

    def answer(self, request: Request) -> bool:
        """Perform the step for a message; false when there is none."""
        for step in self._steps:
            if step["on"] == f"recv:{request.method}":
                self._perform(step, request.id_text)
                return True
        return False

    def _perform(self, step: Object, id_text: str) -> None:
        delay = float(str(step.get("delayMs", 0))) / 1000
        for key, value in step.items():
            perform = _ACTIONS.get(key) or refuse(f"step {key}")
            assert callable(perform)
            perform(self._wire, value, id_text, delay)


def _byte_by_byte(wire: Wire, value: Value, id_text: str, delay: float) -> None:
    for byte in fill(str(value), id_text).encode():
        wire.write(bytes([byte]))
        time.sleep(delay)


def _stderr(data: bytes) -> None:
    sys.stderr.buffer.write(data)
    sys.stderr.buffer.flush()


_ACTIONS: dict[str, Callable[[Wire, Value, str, float], None]] = {
    "on": lambda _w, _v, _i, _d: None,
    "delayMs": lambda _w, _v, _i, _d: None,
    "ready": lambda _w, _v, _i, _d: None,
    "blockUntilDrained": lambda _w, _v, _i, _d: None,
    "stdout": lambda wire, value, id_text, _: wire.write(fill(str(value), id_text)),
    "stdoutParts": lambda wire, value, id_text, _: wire.write(fill(parts(value), id_text)),
    "stdoutHex": lambda wire, value, _i, _d: wire.write(bytes.fromhex(str(value))),
    "stdoutByteByByte": _byte_by_byte,
    "stderr": lambda _w, value, _i, _d: _stderr(str(value).encode()),
    "stderrParts": lambda _w, value, _i, _d: _stderr(parts(value).encode()),
    "stderrHex": lambda _w, value, _i, _d: _stderr(bytes.fromhex(str(value))),
    "exit": lambda _w, value, _i, _d: os._exit(int(str(value))),
    "thenStopReading": lambda _w, _v, _i, _d: time.sleep(3600),
}


# The other kinds


class Server:
    """Answers requests as the case says, the rest as servers should."""

    def __init__(self, given: Object, wire: Wire) -> None:
        self._wire = wire
        self._era = str(given.get("era", "2025-11-25"))
        self._unasked: list[str] = given.pop("serverSends", [])  # type: ignore[assignment] - notation
        self._answers: dict[str, Callable[[Request], None]] = {
            "initialize": self._initialize,
            "ping": lambda request: self._say(request, {}),
            "tools/list": self._list,
            "tools/call": lambda request: self._say(request, _text(json.dumps(request.params))),
        }
        self._initialize_result: Object = {
            "protocolVersion": self._era,
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "corpus", "version": "1"},
        }
        self._tools: Value = [TOOL]
        self._held: list[Request] = []
        self._set_up_messages(given)
        self._set_up_handshake(given)
        self._set_up_lists(given)
        self._set_up_calls(given)
        if unknown := set(given) - HARNESS_KEYS:
            refuse(f"key {sorted(unknown)}")

    def answer(self, request: Request) -> None:
        """Do what is to be done about a message."""
        if request.method == "notifications/initialized":
            for text in self._unasked:
                later(
                    UNASKED_SECONDS, lambda text=text: self._wire.write(fill(text, "null") + "\n")
                )
        elif request.expects_answer:
            self._answers.get(request.method, self._unknown)(request)

    def _say(self, request: Request, result: Value) -> None:
        self._wire.send(request.result(result))

    def _unknown(self, request: Request) -> None:
        self._wire.send(request.error({"code": -32601, "message": "Method not found"}))

    def _set_up_messages(self, given: Object) -> None:
        if "bodies" in given:
            bodies: list[str] = given.pop("bodies")  # type: ignore[assignment] - notation
            self._answers[str(given.pop("respondTo"))] = lambda request: self._wire.write(
                "".join(fill(body, request.id_text) + "\n" for body in bodies)
            )
        for method, id_ in _object(given.pop("answers", {})).items():
            self._answer_with_id(method, id_)
        rules: list[Object] = given.pop("rules", [])  # type: ignore[assignment] - notation
        for rule in rules:
            self._fail(str(rule["rpc"]), rule["error"])

    def _answer_with_id(self, method: str, id_: Value) -> None:
        usual = self._answers[method]

        def answer(request: Request) -> None:
            request.message["id"] = id_
            usual(request)

        self._answers[method] = answer

    def _fail(self, method: str, error: Value) -> None:
        self._answers[method] = lambda request: self._wire.send(request.error(error))

    def _set_up_handshake(self, given: Object) -> None:
        if given.pop("respondTo", "") == "initialize":
            self._initialize_result = _object(given.pop("result"))
        self._initialize_result |= _object(given.pop("initialize", {}))
        if "capabilities" in given:
            self._initialize_result["capabilities"] = given.pop("capabilities")
        if "error" in given:
            self._fail("initialize", given.pop("error"))
        how = given.pop("setLevel", None)
        if isinstance(how, dict) and set(how) == {"error"}:
            self._fail("logging/setLevel", how["error"])
        elif how == "never answers":
            self._answers["logging/setLevel"] = lambda _: None
        elif how is not None:
            refuse(f"setLevel {how}")

    def _initialize(self, request: Request) -> None:
        self._say(request, self._initialize_result)

    def _set_up_lists(self, given: Object) -> None:
        given.pop("steps", None)
        self._tools = expand(given.pop("tools", self._tools))
        for key in {"result", "listResult"} & given.keys():
            result = given.pop(key)
            self._answers["tools/list"] = lambda request, result=result: self._say(request, result)
        if "pages" in given:
            pages: list[Object] = given.pop("pages")  # type: ignore[assignment] - notation
            self._answers["tools/list"] = lambda request: self._page(request, pages)
        how = _object(given.pop("generate", {}))
        if "instructions" in how:
            self._initialize_result["instructions"] = expand(how["instructions"])
        elif how:
            self._answers["tools/list"] = lambda request: self._endless_page(request, how)

    def _list(self, request: Request) -> None:
        self._say(request, {"tools": self._tools})

    def _page(self, request: Request, pages: list[Object]) -> None:
        """Answer with the page of the cursor asked for; the last one is repeated where the case says so."""
        asked = request.params.get("cursor")
        real = [page for page in pages if "tools" in page]
        page = next((page for page in real if page["cursor"] == asked), real[-1])
        names = page["tools"]
        assert isinstance(names, list)
        result: Object = {"tools": [{**TOOL, "name": name} for name in names]}
        if "nextCursor" in page:
            result["nextCursor"] = page["nextCursor"]
        self._say(request, result)

    def _endless_page(self, request: Request, how: Object) -> None:
        number = int(re.sub(r"\D", "", str(request.params.get("cursor", "0"))))
        size = int(str(how["perPage"]))
        names = [str(how["nameFormat"]) % n for n in range(number * size, (number + 1) * size)]
        result: Object = {"tools": [{**TOOL, "name": name} for name in names]}
        self._say(request, {**result, "nextCursor": str(how["cursorFormat"]) % (number + 1)})

    def _set_up_calls(self, given: Object) -> None:
        if "calls" in given:
            wanted = int(str(given.pop("calls")))
            seed = int(str(given.pop("answerOrder")).rpartition(" ")[2])
            self._answers["tools/call"] = lambda request: self._gather(request, wanted, seed)
        if "progressEveryMs" in given:
            every = float(str(given.pop("progressEveryMs"))) / 1000
            for_ever = bool(given.pop("progressForever", False))
            answer_after = float(str(given.pop("answerAfterMs"))) / 1000
            count = 10_000 if for_ever else round(answer_after / every)
            self._answers["tools/call"] = lambda request: self._slow(request, every, count)

    def _gather(self, request: Request, wanted: int, seed: int) -> None:
        """Hold back the answers until all the calls are here, then give them in another order."""
        self._held.append(request)
        if len(self._held) == wanted:
            random.Random(seed).shuffle(self._held)
            for held in self._held:
                self._say(held, _text(json.dumps(held.params.get("arguments"))))

    def _slow(self, request: Request, every: float, count: int, done: int = 0) -> None:
        """Report progress and log for a while, then answer, cancelled or not."""
        if done == count:
            self._say(request, _text("done at last"))
            return
        token = _object(request.params.get("_meta")).get("progressToken")
        report: Object = {"progressToken": token, "progress": done}
        if token is not None:
            self._notify("notifications/progress", report)
        self._notify("notifications/message", {"level": "info", "data": f"step {done}"})
        later(every, lambda: self._slow(request, every, count, done + 1))

    def _notify(self, method: str, params: Object) -> None:
        self._wire.send({"jsonrpc": "2.0", "method": method, "params": params})


def _text(text: str) -> Object:
    return {"content": [{"type": "text", "text": text}]}


def play(given: Object, wire: Wire) -> None:
    """Talk until stdin ends."""
    script = Script(given, wire) if "steps" in given and "tools" not in given else None
    server = Server(given, wire)
    if script is not None:
        script.spawn()
    while raw := wire.read():
        request = Request(raw)
        if script is None or not script.answer(request):
            server.answer(request)


def main(arguments: list[str]) -> None:
    """Play the case that the command line names."""
    options = dict(zip(arguments[1::2], arguments[2::2], strict=True))
    play(load(arguments[0], int(options.get("--variant", "0"))), Wire(options.get("--log")))


if __name__ == "__main__":
    main(sys.argv[1:])
