"""Files that belong to the program, by name. The only place that knows where they are."""

from __future__ import annotations

from pathlib import Path

_FOLDER = Path(__file__).resolve().parent


def path(name: str) -> Path:
    """The file called `name`.

    Raises:
        ValueError: there is no such file; misspelt names show at once, not as a blank icon.
    """
    file = _FOLDER / name
    if not file.is_file():
        raise ValueError(f"no resource is called {name!r}")
    return file
