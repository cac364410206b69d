"""Qt objects that outlive a test: top-level widgets, running timers and threads.

Python's garbage is collected here and nowhere else from the beginning of a test with Qt to that of a test without. The
collector runs in whatever thread allocates, and a Qt object that is deleted in another thread than its own takes the
interpreter with it.
"""

from __future__ import annotations

import functools
import gc
import itertools
from typing import TYPE_CHECKING
from weakref import WeakSet

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QThread, QTimer
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

if TYPE_CHECKING:
    from collections.abc import Callable

START = "start"
"""The method of timers and threads that is listened to."""

SETTING_ASIDE = ("freeze", "unfreeze")
"""What Spyglass does at its start with every object there is, and takes back at its end. In a test neither may happen: what the
test made has to be collected after it, and what the imports made has to stay aside."""

FEW_TESTS = 25
"""Tests after which there is much again that stays: modules that were imported late, reports."""

KEPT_BY_QT = {"QTipLabel"}
"""Classes of top-level widgets that Qt makes once and keeps for itself."""


class QtObjects:
    """The Qt objects of this run; hears of each timer and thread that Python starts."""

    def __init__(self) -> None:
        self._started: WeakSet[QTimer | QThread] = WeakSet()
        for kind in (QTimer, QThread):
            setattr(kind, START, self._hearing(kind.start))
        self._set_aside = gc.freeze
        for name in SETTING_ASIDE:
            setattr(gc, name, _do_nothing)
        self._tests = itertools.count()

    def begin(self) -> set[int]:
        """Before a test; the windows there are, which belong to wider fixtures."""
        gc.disable()
        if next(self._tests) % FEW_TESTS == 0:
            # What was imported and what pytest keeps stays; without it each collection takes a tenth of the time.
            gc.collect()
            self._set_aside()
        return {id(widget) for widget in _top_levels()}

    def end(self, before: set[int]) -> list[str]:
        """After a test; words for each object that lives and should not.

        What is found is deleted or stopped, so that the next test is not blamed for it.
        """
        if QApplication.instance() is not None:
            # Offscreen, the clipboard outlives Python, and what it holds must not.
            QApplication.clipboard().clear()
        _delete_what_is_due()
        gc.collect()
        gc.disable()  # the end of a window has switched it on
        _delete_what_is_due()
        found = [
            *(widget for widget in _top_levels() if id(widget) not in before),
            *(thing for thing in self._started if isValid(thing) and _is_running(thing)),
        ]
        text = [_in_words(thing) for thing in found]
        for thing in found:
            _end(thing)
        _delete_what_is_due()
        return text

    def _hearing(self, start: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(start)
        def hear(thing: QTimer | QThread, *arguments: object) -> None:
            self._started.add(thing)
            start(thing, *arguments)

        return hear


def _do_nothing() -> None:
    """Stand in for what must not happen."""


def _top_levels() -> list[QWidget]:
    if QApplication.instance() is None:
        return []
    widgets = QApplication.topLevelWidgets()
    return [widget for widget in widgets if widget.metaObject().className() not in KEPT_BY_QT]


def _delete_what_is_due() -> None:
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def _is_running(thing: QTimer | QThread) -> bool:
    return thing.isActive() if isinstance(thing, QTimer) else thing.isRunning()


def _in_words(thing: QObject) -> str:
    return f"{type(thing).__name__} {thing.objectName()!r} of {thing.parent()!r}"


def _end(thing: QWidget | QTimer | QThread) -> None:
    if isinstance(thing, QTimer):
        thing.stop()
    elif isinstance(thing, QThread):
        thing.quit()
    elif thing.windowType() is Qt.WindowType.Popup and thing.parent() is None:
        # Not deleted: the list of a completer belongs to it, and a completer deletes it without asking whether it lives.
        thing.hide()
    else:
        thing.deleteLater()
