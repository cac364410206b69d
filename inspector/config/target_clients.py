"""The clients that a server is for: what other clients refuse or cut is not reported then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.checks.clients import CLIENTS, read_targets
from inspector.event import Event

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.checks.clients import Targets
    from inspector.json_value import Json


class TargetClients:
    """The target clients of one server."""

    def __init__(self, saved: Json = None, save: Callable[[Json], None] | None = None) -> None:
        """Take what was `saved`; `save` is called with what is to be saved."""
        self.changed: Event[()] = Event()
        """Fired when other clients are chosen."""
        self.names: Targets = read_targets(saved)
        """Their names; empty for all clients."""
        self._save = save

    def choose(self, name: str, *, chosen: bool) -> None:
        """Add a client, or leave it out."""
        self.replace(self.names | {name} if chosen else self.names - {name})

    def replace(self, names: Targets) -> None:
        """Have these clients and no others; without any, or with every one, all of them."""
        names = frozenset() if names.issuperset(CLIENTS) else names
        if names != self.names:
            self.names = names
            if self._save is not None:
                self._save([*sorted(names)])
            self.changed.fire()

    @property
    def text(self) -> str:
        """Return them for the user, as in `for Cursor, VS Code`; empty for all clients."""
        return f"for {', '.join(sorted(self.names))}" if self.names else ""
