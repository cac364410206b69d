"""Importing in pieces, and without PySide's search for its own name.

PySide replaces `__import__`, and looks for "PySide6" in the source text of every module that is imported after it, in case
that one asks for one of its feature switches. Reading all those files is a fifth of what importing takes, and `linecache`
keeps them. No module of Spyglass uses such a switch.

This module is imported before the search is skipped: each module that it imports is one more that is read.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # and not that of `typing`, a long file
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from types import ModuleType

FEATURES = "PySide6.support.feature"
"""PySide's module that does it."""
SEARCH = "_mod_uses_pyside"
"""Its function that reads the source of a module."""


USERS = ("ui.", "qasync")
"""How the names of those begin that do use PySide; it finds their attributes faster when it knows."""


def skip_pyside_name_search() -> None:
    """Let the name of a module tell whether it uses PySide, and forget the texts that were read until now.

    To be called once, after PySide and before everything else is imported.
    """
    features = sys.modules.get(FEATURES)
    if hasattr(features, SEARCH):
        setattr(features, SEARCH, _is_user)
    if "linecache" in sys.modules:
        sys.modules["linecache"].clearcache()


def _is_user(module: ModuleType) -> bool:
    return module.__name__.startswith(USERS)


IMPORTING_STEP_S = 0.005
"""Seconds between two steps of `import_in_pieces` while a thread imports."""


def import_in_pieces(*packages: str, left_out: Collection[str] = ()) -> Iterator[None]:
    """Import everything in `packages` but the modules and packages `left_out`, one module a step.

    So that something else can be done between them: name those first that the others import, or the pieces are large. While a
    thread imports, a step does nothing: it might wait for a module of the thread.
    """
    import pkgutil
    from importlib import import_module

    from inspector.background_tasks import IMPORTING

    for package in packages:
        while IMPORTING.locked():
            yield
        found = import_module(package)
        for module in pkgutil.iter_modules(found.__path__, f"{package}."):
            if module.name in left_out:
                continue
            if module.ispkg:
                yield from import_in_pieces(module.name, left_out=left_out)
                continue
            while IMPORTING.locked():
                yield
            import_module(module.name)
            yield
