"""The rules that every test runs under; what they forbid is in `support/guards.py`.

The folder decides the event loop: `ui/` and `e2e/` run on Qt's, everything else on plain asyncio and without Qt. Where Qt
is not installed at all: `pytest -p no:pytest-qt tests/engine`.

With `-n auto`, as `make test` says, several workers share the files among them; how they keep out of each other's way is in
`support/workers.py`.
"""

from __future__ import annotations

import asyncio
import functools
import gc
import importlib
import inspect
import os
import signal
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import hypothesis
import pytest

from tests.support import guards, interrupts, peers, workers
from tests.support.processes import Processes

if TYPE_CHECKING:
    import logging
    from collections.abc import AsyncIterator, Callable, Generator

    from PySide6.QtWidgets import QApplication

    from tests.support.qt_leftovers import QtObjects

HERE = Path(__file__).parent
ON_QT = {"ui", "e2e"}
"""Folders whose tests run on the Qt event loop."""

TIMEOUT_SECONDS = 60.0
"""For a whole test, as in pyproject.toml; one that needs more carries `@pytest.mark.timeout`."""

HARMLESS_QT_WORDS = r"This plugin does not support"
"""Qt's offscreen platform says so of window sizes and stacking."""

WATCH = pytest.StashKey[guards.Watch]()
FAILED = pytest.StashKey[bool]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """What a run can be asked for besides."""
    parser.addoption(
        "--accessible",
        action="store_true",
        help="run the tests on Qt as if a screen reader were there",
    )
    parser.addoption(
        "--shuffle",
        type=int,
        metavar="SEED",
        help="run the files, and the tests in each of them, in another order",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Nothing of the user who runs the tests is read or written, and no window appears."""
    config.addinivalue_line("markers", "alone: no other worker runs a test meanwhile")
    home = workers.make_home(config)
    for kind in ("CONFIG", "DATA", "STATE", "CACHE"):
        os.environ[f"XDG_{kind}_HOME"] = str(home / kind.lower())
    os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.fail.Keyring"
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ["LC_ALL"] = "C.UTF-8"
    # A shell that runs the tests in the background has them, and what they start, ignore the interrupt.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # A deadline measures the machine; what `CI` changes in hypothesis stays.
    current = hypothesis.settings.get_profile(hypothesis.settings.get_current_profile_name())
    hypothesis.settings.register_profile("spyglass", current, deadline=None)
    hypothesis.settings.load_profile("spyglass")
    if _has_pytest_qt(config):
        config.addinivalue_line("qt_log_ignore", HARMLESS_QT_WORDS)
        from ui.override_errors import keep_override_errors

        keep_override_errors()  # as the program does, before there is a class of ours
        _keep_pytest_qt_from_processing_events()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """How many workers `-n auto` means; none where only files or single tests are named."""
    return workers.count(config.args)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: workers.Node) -> None:
    """Tell a worker what all of them share."""
    workers.instruct(node)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> Generator[None, object, object]:
    """Let Ctrl+C end the tests, and not the process."""
    with interrupts.after_each_test(session):
        return (yield)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Wait for the turn of a test, outside of its time."""
    with workers.turn(item):
        return (yield)


def _has_pytest_qt(config: pytest.Config) -> bool:
    return config.pluginmanager.hasplugin("pytest-qt")


def _keep_pytest_qt_from_processing_events() -> None:
    # It does so before and after each test, while our loop stands still: tasks would take steps without a running loop.
    plugin = importlib.import_module("pytestqt.plugin")
    assert "_process_events" in vars(plugin)
    vars(plugin)["_process_events"] = lambda: None


def pytest_asyncio_loop_factories(
    item: pytest.Item,
) -> dict[str, Callable[[], asyncio.AbstractEventLoop]]:
    """One loop for each test, by the folder it is in."""
    if _is_on_qt(item):
        return {"qt": _make_qt_loop}
    return {"asyncio": asyncio.new_event_loop}


def _make_qt_loop() -> asyncio.AbstractEventLoop:
    from ui.aio import make_loop

    app = _the_application()
    app.setQuitOnLastWindowClosed(False)
    return make_loop(app)


def _the_application() -> QApplication:
    from PySide6.QtWidgets import QApplication

    app = QApplication.instance() or QApplication(["spyglass"])
    assert isinstance(app, QApplication)
    return app


def _is_on_qt(item: pytest.Item) -> bool:
    return _is_below_qt(item.path)


@functools.cache
def _is_below_qt(path: Path) -> bool:
    return path.is_relative_to(HERE) and path.relative_to(HERE).parts[0] in ON_QT


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect no garbage meanwhile: nearly everything that is made stays, and looking for the rest takes a tenth of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Bound each coroutine test, and let Qt's warnings fail the tests that use it."""
    if (seed := config.getoption("--shuffle")) is not None:
        _shuffle(items, Random(seed))
    elif workers.are_there(config):
        at = workers.spread(dict.fromkeys(item.path for item in items), HERE)
        items.sort(key=lambda item: at[item.path])
    for item in items:
        _bound(item)
        if not _is_on_qt(item):
            continue
        # Only a thread can end a test that hangs inside Qt.
        if item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(TIMEOUT_SECONDS, method="thread"))
        if _has_pytest_qt(config):
            item.add_marker(pytest.mark.qt_log_level_fail("WARNING"))


def _shuffle(items: list[pytest.Item], random: Random) -> None:
    files = list(dict.fromkeys(item.path for item in items))
    random.shuffle(files)
    at = {path: number for number, path in enumerate(files)}
    random.shuffle(items)
    items.sort(key=lambda item: at[item.path])


def _bound(item: pytest.Item) -> None:
    if not isinstance(item, pytest.Function) or not inspect.iscoroutinefunction(item.obj):
        return
    marker = item.get_closest_marker("timeout")
    limit = float(marker.args[0]) if marker and marker.args else TIMEOUT_SECONDS
    item.obj = guards.bounded(item.obj, 0.75 * limit)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Install the peers that the chosen tests talk to, outside of any test's time, and quicken the collector."""
    if session.config.option.collectonly:
        return
    # Thousands of collected tests make each full collection take a quarter of a second, in the middle of any test.
    gc.collect()
    gc.freeze()
    wanted = {name for item in session.items for name in getattr(item, "fixturenames", ())}
    for name in peers.FIXTURES.keys() & wanted:
        peers.try_to_make(peers.FIXTURES[name])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Remember whether a test has failed already: what it leaves behind is then no news."""
    report = yield
    if report.failed:
        item.stash[FAILED] = True
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, None, None]:
    """Look for what was left behind once every fixture and the loop are closed."""
    yield
    watch = item.stash.get(WATCH, None)
    problems = watch.problems() if watch else []
    if problems and not item.stash.get(FAILED, False):
        pytest.fail("The test left behind:\n  " + "\n  ".join(problems), pytrace=False)


@pytest.fixture(scope="session", autouse=True)
def our_processes() -> Processes:
    """The processes that this run starts."""
    return Processes()


@pytest.fixture(scope="session")
def our_qt_objects(request: pytest.FixtureRequest) -> QtObjects:
    """The Qt objects that this run makes."""
    from tests.support.connections import check_connections
    from tests.support.qt_leftovers import QtObjects

    check_connections()
    if request.config.getoption("--accessible"):
        _pretend_a_screen_reader()
    return QtObjects()


def _pretend_a_screen_reader() -> None:
    from PySide6.QtGui import QAccessible

    _the_application()
    QAccessible.setActive(True)
    assert QAccessible.isActive()


@pytest.fixture(autouse=True)
def watch(request: pytest.FixtureRequest, our_processes: Processes) -> guards.Watch:
    """The watch over this test."""
    qt = request.getfixturevalue("our_qt_objects") if _is_on_qt(request.node) else None
    watch = request.node.stash[WATCH] = guards.Watch(our_processes, qt)
    if inspect.iscoroutinefunction(request.function):
        request.getfixturevalue("watched_loop")
    return watch


@pytest.fixture
async def watched_loop(request: pytest.FixtureRequest) -> AsyncIterator[None]:
    """Watch the loop of a coroutine test; the last fixture to be closed."""
    watch = request.node.stash[WATCH]
    asyncio.get_running_loop().set_exception_handler(watch.note_loop_error)
    yield
    watch.tasks += await guards.leftover_tasks()


@pytest.fixture
def logged(watch: guards.Watch) -> list[logging.LogRecord]:
    """Log records of level WARNING and above; a test that expects one takes it out."""
    return watch.logged


@pytest.fixture
def loop_errors(watch: guards.Watch) -> list[dict[str, object]]:
    """What reached the loop's exception handler; a test that expects an error takes it out."""
    return watch.loop_errors


@pytest.fixture(scope="session")
def sdk1_python() -> Path:
    """A Python that has the official SDK, version 1."""
    return peers.require("sdk1") / "bin/python"


@pytest.fixture(scope="session")
def sdk2_python() -> Path:
    """A Python that has the official SDK, version 2."""
    return peers.require("sdk2") / "bin/python"


@pytest.fixture(scope="session")
def tokens_python() -> Path:
    """A Python that has the tokenizer of the extra `tokens`."""
    return peers.require("tokens") / "bin/python"


@pytest.fixture(scope="session")
def npm_folder() -> Path:
    """The folder whose modules are the official TypeScript SDKs, and an authorization server."""
    return peers.require("npm")


@pytest.fixture(scope="session")
def schema_suite() -> Path:
    """The official JSON Schema Test Suite: a folder for each draft, in it files of schemas with instances."""
    return next((peers.require("schema-suite") / "source").glob("jsonschema-*")) / "json" / "tests"


@pytest.fixture(scope="session")
def everything_server() -> tuple[str, ...]:
    """The command of the official server that has everything; append `stdio`, `sse` or `streamableHttp`."""
    script = "node_modules/@modelcontextprotocol/server-everything/dist/index.js"
    return str(peers.NODE), str(peers.require("npm") / script)
