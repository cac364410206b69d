"""`spyglass`: the window."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QMessageLogContext, QtMsgType


def main(arguments: Sequence[str] | None = None) -> int:
    """Start Spyglass and give its exit code."""
    gc.disable()  # until `ui.garbage_collector` takes over: there is nothing to collect while everything is made
    options = _parse(sys.argv[1:] if arguments is None else arguments)
    from PySide6.QtCore import qInstallMessageHandler
    from PySide6.QtWidgets import QApplication

    from ui.lazy_imports import skip_pyside_name_search
    from ui.override_errors import keep_override_errors

    skip_pyside_name_search()
    keep_override_errors()
    from ui.theme import STYLE

    before = qInstallMessageHandler(_on_qt_message)
    qt = QApplication([*sys.argv[:1], "-style", STYLE])
    qInstallMessageHandler(before)
    qt.setApplicationName("spyglass")
    qt.setApplicationDisplayName("Spyglass")
    qt.setDesktopFileName("spyglass")

    qt.setQuitOnLastWindowClosed(False)

    from PySide6.QtGui import QIcon

    import resources
    from ui.startup import AppPaths, InitialPaint, Startup

    qt.setWindowIcon(QIcon(str(resources.path("spyglass.svg"))))
    folders = AppPaths(*_folders(options.folder))
    opening = Startup(qt, folders, is_styled=True)
    opening.fit_screen()
    InitialPaint(qt, opening.window)

    from ui import aio
    from ui.app import App

    app = App(qt, folders, opening=opening)
    return aio.run(lambda stop: app.run(stop, demo=options.demo, record=options.record), qt)


def _on_qt_message(kind: QtMsgType, _context: QMessageLogContext, text: str) -> None:
    """Pass on what Qt says while it starts; where it would abort the process, end it with what to do instead.

    Qt finds no display only here, and leaves no other way than this to go on after it.
    """
    from PySide6.QtCore import QtMsgType

    if kind != QtMsgType.QtFatalMsg:
        print(text, file=sys.stderr)
        return
    print("spyglass: no display: use spyglass-cli", file=sys.stderr)
    sys.stderr.flush()
    os._exit(1)


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser("spyglass", description="Inspect and debug MCP servers.")
    parser.add_argument("record", nargs="?", type=Path, help="recording (.spyglass) to open")
    parser.add_argument("--demo", action="store_true", help="start with the demo server connected")
    parser.add_argument("--folder", type=Path, help="store settings and recordings in this folder")
    return parser.parse_args(arguments)


def _folders(chosen: Path | None) -> tuple[Path, Path]:
    if chosen is not None:
        return chosen, chosen / "records"
    import platformdirs

    config = Path(platformdirs.user_config_dir("spyglass", appauthor=False))
    return config, Path(platformdirs.user_data_dir("spyglass", appauthor=False)) / "records"


if __name__ == "__main__":
    sys.exit(main())
