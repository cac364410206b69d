"""What is measured, against what, and the goals. One function a bench; `BENCHES` is the list."""

from __future__ import annotations

import json
import shutil
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from tests.bench import recording
from tests.bench.runner import Child
from tests.bench.table import Goal, Row, Unit, at_least, at_most, ratio_at_least
from tests.support import peers
from tests.support.display import x_display

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence

    from tests.bench.runner import Runner, Samples

FRAME = at_most(33)
"""Two frames of the display, in milliseconds."""
PAINT = at_most(16)
"""One frame of the display, in milliseconds."""
HITCH = at_most(100)
"""What a user takes for at once, in milliseconds."""


class Figure(NamedTuple):
    """A line of the table, by the name that the child gives the figure."""

    name: str
    what: str
    unit: Unit
    goal: Goal | None = None


def flood(runner: Runner) -> Iterator[Row]:
    """50,000 notifications into the window."""
    count = 5_000 if runner.quick else 50_000
    found, floor = runner.take(Child("flood", ("--count", count)), _floor(runner))
    yield from _rows(
        found,
        Figure("after_written", "flood: last byte → all shown", Unit.SECONDS, at_most(5)),
        Figure("gap_ms", "flood: longest gap", Unit.MILLISECONDS, FRAME),
    )
    took = [count / rate for rate in floor.all("notifications")]
    shown = Figure("from_click", f"flood: click → {count:,} shown", Unit.SECONDS)
    yield _row(found, shown, took, "bare")
    yield from _rows(
        found,
        Figure("judged", "flood: all judged", Unit.SECONDS),
        Figure("judging_gap_ms", "flood: gap while judging", Unit.MILLISECONDS, FRAME),
        Figure("memory_mb", "flood: memory after it", Unit.MEGABYTES),
    )


def big(runner: Runner) -> Iterator[Row]:
    """Large results in the tools page."""
    share = ("--share", 0.1 if runner.quick else 1.0)
    found, floor = runner.take(Child("large", share), Child("floor", (*_options(runner), *share)))
    yield _row(
        found,
        Figure("text", "big: 50 MB of text shown", Unit.SECONDS, at_most(1.5)),
        floor.all("big"),
        "bare",
    )
    yield _row(
        found,
        Figure("tree", "big: 10 MB of JSON shown", Unit.SECONDS, at_most(1)),
        floor.all("bigjson"),
        "bare",
    )
    yield from _rows(
        found,
        Figure("text_gap_ms", "big: gap, 50 MB of text", Unit.MILLISECONDS, HITCH),
        Figure("tree_gap_ms", "big: gap, 10 MB of JSON", Unit.MILLISECONDS, HITCH),
        Figure("json", "big: its text", Unit.SECONDS, at_most(1)),
        Figure("json_gap_ms", "big: gap, its text", Unit.MILLISECONDS, HITCH),
        Figure("structured", "big: 10 MB structured shown", Unit.SECONDS, at_most(1)),
        Figure("structured_gap_ms", "big: gap, structured", Unit.MILLISECONDS, HITCH),
        Figure("structured_view", "big: structured tree", Unit.SECONDS, at_most(1)),
        Figure("structured_view_gap_ms", "big: gap, its tree", Unit.MILLISECONDS, HITCH),
        Figure("json_view", "big: message as a tree", Unit.SECONDS, at_most(1)),
        Figure("json_view_gap_ms", "big: gap, its tree", Unit.MILLISECONDS, HITCH),
        Figure("memory_mb", "big: memory after it", Unit.MEGABYTES),
    )


def tools(runner: Runner) -> Iterator[Row]:
    """10,000 tools in 100 pages."""
    found, floor = runner.take(Child("tools"), _floor(runner))
    listed = Figure("listed", "tools: 10,000 listed", Unit.SECONDS, at_most(1))
    yield _row(found, listed, floor.all("tools"), "bare")
    yield from _rows(
        found,
        Figure("listing_gap_ms", "tools: gap, listing", Unit.MILLISECONDS, HITCH),
        Figure("chosen", "tools: the last one chosen", Unit.SECONDS, at_most(0.1)),
        Figure("filtered", "tools: filtered", Unit.SECONDS, at_most(0.1)),
    )


def engine(runner: Runner) -> Iterator[Row]:
    """The engine alone, recording to a file."""
    options = _options(runner)
    sdk = peers.require("sdk2") / "bin/python"
    found, floor, official = runner.take(
        Child("engine", options), _floor(runner), Child("peer", options, python=sdk)
    )
    rows = (
        ("sequential", "engine: calls in turn", ratio_at_least(0.5)),
        ("concurrent", "engine: 16 in flight", ratio_at_least(0.25)),
        ("notifications", "engine: notifications", at_least(100_000)),
    )
    for name, what, goal in rows:
        figure = Figure(name, what, Unit.RATE, goal)
        yield _row(found, figure, floor.all(name), "bare")
        faster = Figure(name, what, Unit.RATE, ratio_at_least(1))
        yield _row(found, faster, official.all(name), "SDK")


def http(runner: Runner) -> Iterator[Row]:
    """The engine over streamable HTTP, recording every head and body."""
    options = ("--seconds", 0.5) if runner.quick else ()
    sdk = peers.require("sdk2") / "bin/python"
    found, official = runner.take(
        Child("http_engine", options), Child("http_peer", options, python=sdk)
    )
    rows = (
        ("json_sequential", "http: calls in turn"),
        ("json_concurrent", "http: 16 in flight"),
        ("events_sequential", "http: in turn, as events"),
        ("events_concurrent", "http: 16 in flight, as events"),
    )
    for name, what in rows:
        figure = Figure(name, what, Unit.RATE, ratio_at_least(1))
        yield _row(found, figure, official.all(name), "SDK")


def start(runner: Runner) -> Iterator[Row]:
    """From the start of the process to the first painted window, and memory at rest."""
    with _offscreen_platform() as platform:
        yield from _started(runner, "offscreen", {"QT_QPA_PLATFORM": platform})
    if shutil.which("Xvfb"):
        with x_display() as display:
            yield from _started(runner, "xcb", {"QT_QPA_PLATFORM": "xcb", "DISPLAY": display})


@contextmanager
def _offscreen_platform() -> Generator[str]:
    """Qt's platform without a display, with a screen that has room for the window: by itself it has 800 by 800 pixels."""
    screen = {"name": "", "x": 0, "y": 0, "width": 1920, "height": 1080}
    dots = {"logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1}
    with TemporaryDirectory() as folder:
        file = Path(folder) / "screens.json"
        file.write_text(json.dumps({"screens": [screen | dots]}))
        yield f"offscreen:configfile={file}"


def _started(runner: Runner, name: str, platform: dict[str, str]) -> Iterator[Row]:
    where = tuple(platform.items())
    folder = ("{now}", "--folder", "{folder}")
    bare, alone, demo = runner.take(
        Child("bare_window", ("{now}",), environment=where, is_warmed=True),
        Child("start", folder, environment=where, is_warmed=True),
        Child("start", (*folder, "--demo"), environment=where, is_warmed=True),
    )
    painted = Figure("window", f"start: window painted ({name})", Unit.SECONDS, at_most(0.5))
    yield _row(alone, painted, bare.all("window"), "bare window")
    yield from _rows(alone, Figure("parts", f"start: its parts painted ({name})", Unit.SECONDS))
    yield from _rows(
        demo,
        Figure("tools", f"start: demo tools painted ({name})", Unit.SECONDS, at_most(1.2)),
        Figure(
            "memory_mb", f"start: memory, connected, idle ({name})", Unit.MEGABYTES, at_most(200)
        ),
    )


def table(runner: Runner) -> Iterator[Row]:
    """A transcript of 100,000 frames."""
    [found] = runner.take(Child("table", ("--frames", 20_000 if runner.quick else 100_000)))
    filters = ("method", "status", "words", "negation")
    yield from _rows(
        found,
        Figure("page_ms", "table: texts of a page", Unit.MILLISECONDS, at_most(16)),
        Figure("repaint_ms", "table: a repaint", Unit.MILLISECONDS, at_most(16)),
        *(
            Figure(f"{name}_ms", f"table: filter by {name}", Unit.MILLISECONDS, HITCH)
            for name in filters
        ),
        *(
            Figure(f"{name}_gap_ms", f"table: gap, filter by {name}", Unit.MILLISECONDS, FRAME)
            for name in filters
        ),
        Figure("opening", "table: frames opened", Unit.RATE),
        Figure("opening_gap_ms", "table: gap, opening", Unit.MILLISECONDS, HITCH),
        Figure("recording", "table: frames recorded", Unit.RATE),
    )


def million(runner: Runner) -> Iterator[Row]:
    """A recording of a million frames, beside the bare reading of the file and a plain scan of its rows."""
    path = recording.stored(20_000 if runner.quick else recording.MILLION)
    found, floor = runner.take(Child("million", (path,)), Child("million", (path, "--floor")))
    for name, what, first_goal, goal in (
        ("opened", "opened", at_most(0.3), at_most(8)),
        ("reopened", "opened again", at_most(0.3), at_most(1.5)),
    ):
        first = Figure(f"{name}_first", f"million: {what}, first rows", Unit.SECONDS, first_goal)
        gap = Figure(f"{name}_gap_ms", f"million: gap, {what}", Unit.MILLISECONDS, HITCH)
        all_of_it = Figure(name, f"million: {what}, all of it", Unit.SECONDS, goal)
        yield _row(found, first)
        yield _row(found, all_of_it, floor.all("scan"), "plain scan")
        yield _row(found, all_of_it._replace(goal=None), floor.all("read"), "bare reading")
        yield _row(found, gap)
    yield from _rows(
        found,
        Figure("memory_mb", "million: memory over idle", Unit.MEGABYTES, at_most(150)),
        Figure("validating_memory_mb", "million: the same, filtered", Unit.MEGABYTES, at_most(150)),
        Figure("jump_ms", "million: jump to any frame", Unit.MILLISECONDS, FRAME),
        Figure("jump_longest_ms", "million: longest jump", Unit.MILLISECONDS, HITCH),
        Figure("timeline", "million: timeline built", Unit.SECONDS, at_most(5)),
        Figure("timeline_gap_ms", "million: gap, timeline built", Unit.MILLISECONDS, FRAME),
        Figure("timeline_frame_ms", "million: timeline, a frame", Unit.MILLISECONDS, PAINT),
        Figure("timeline_longest_ms", "million: longest frame", Unit.MILLISECONDS, FRAME),
        Figure("timeline_memory_mb", "million: timeline, memory", Unit.MEGABYTES, at_most(50)),
    )
    for name in ("status", "words", "negation"):
        first = Figure(f"{name}_first", f"million: {name}, first hits", Unit.SECONDS, at_most(0.2))
        gap = Figure(f"{name}_gap_ms", f"million: gap, {name}", Unit.MILLISECONDS, FRAME)
        whole = Figure(name, f"million: filter by {name}", Unit.SECONDS, at_most(3))
        yield _row(found, first)
        yield _row(found, whole, floor.all("search"), "search in SQL")
        yield _row(found, gap)


def frame(runner: Runner) -> Iterator[Row]:
    """One frame of 50 MB, as many values, as one text, and as an event."""
    [found] = runner.take(Child("frame", ("--mb", 5 if runner.quick else 50)))
    yield _row(
        found, Figure("opening_gap_ms", "frame: gap, 50 MB opened", Unit.MILLISECONDS, HITCH)
    )
    for name, what in (("many", "values"), ("text", "text"), ("event", "event")):
        for view in ("tree", "raw", "hex"):
            shown = f"frame: 50 MB of {what}, {view}"
            yield _row(found, Figure(f"{name}_{view}", shown, Unit.SECONDS, at_most(1)))
            gap = f"frame: gap, {what}, {view}"
            yield _row(found, Figure(f"{name}_{view}_gap_ms", gap, Unit.MILLISECONDS, HITCH))


def restyle(runner: Runner) -> Iterator[Row]:
    """A change of theme and of text size, with all pages made."""
    [found] = runner.take(Child("restyle"))
    yield from _rows(
        found,
        Figure("theme_ms", "restyle: another theme", Unit.MILLISECONDS, at_most(500)),
        Figure("size_ms", "restyle: another text size", Unit.MILLISECONDS, at_most(500)),
        Figure("widgets", "restyle: widgets", Unit.COUNT),
    )


def judge(runner: Runner) -> Iterator[Row]:
    """The official validators over mixed frames."""
    [found] = runner.take(Child("judge", ("--frames", 2_000 if runner.quick else 20_000)))
    yield from _rows(
        found,
        Figure("judged", "judge: frames", Unit.RATE),
        Figure("slice_ms", "judge: longest slice", Unit.MILLISECONDS, at_most(16)),
    )


def catalog(runner: Runner) -> Iterator[Row]:
    """What the rules with functions of their own add to that."""
    [found] = runner.take(Child("catalog", ("--frames", 5_000 if runner.quick else 100_000)))
    yield from _rows(
        found,
        Figure("ratio", "catalog: time with it / without", Unit.COUNT, at_most(1.8)),
        Figure("slice_ms", "catalog: longest slice", Unit.MILLISECONDS, at_most(16)),
        Figure("seconds", "catalog: 100,000 frames", Unit.SECONDS),
    )


BENCHES: dict[str, Callable[[Runner], Iterator[Row]]] = {
    bench.__name__: bench
    for bench in (
        start,
        engine,
        http,
        flood,
        big,
        tools,
        table,
        million,
        frame,
        restyle,
        judge,
        catalog,
    )
}
"""By name, in the order of the table."""


def _floor(runner: Runner) -> Child:
    return Child("floor", _options(runner))


def _options(runner: Runner) -> tuple[object, ...]:
    return ("--seconds", 0.5, "--flood", 5_000) if runner.quick else ()


def _rows(found: Samples, *figures: Figure) -> Iterator[Row]:
    return (_row(found, figure) for figure in figures)


def _row(found: Samples, figure: Figure, floors: Sequence[float] = (), whose: str = "") -> Row:
    return Row(
        what=figure.what,
        values=found.all(figure.name),
        unit=figure.unit,
        goal=figure.goal,
        floors=floors,
        whose=whose,
        foreign=found.foreign,
    )
