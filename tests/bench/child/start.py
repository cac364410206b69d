"""`python -m ui`, with an eye on its window.

The first argument is the moment the process was started, on the monotonic clock; the rest are those of the program.
"""

from __future__ import annotations

import sys
from importlib import import_module

from ui.lazy_imports import skip_pyside_name_search
from ui.override_errors import keep_override_errors

if __name__ == "__main__":
    import_module("PySide6.QtWidgets")
    skip_pyside_name_search()  # before anything else is imported, as the program does
    keep_override_errors()
    from tests.bench.child.watched_window import run

    sys.exit(run(float(sys.argv.pop(1))))
