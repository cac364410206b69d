"""What outlives a request: the notebook, what was added to the lists, who listens, what runs as a task of the extension.

A session has one of its own. Where there are no sessions, everybody shares one.
"""

from __future__ import annotations

import os

from inspector.demo.extension_tasks import LastingTasks
from inspector.demo.listeners import Listeners
from inspector.demo.notebook import Notebook

SECRET_BYTES = 32


class State:
    """All of it."""

    def __init__(self, *, has_malformed_tools: bool = False) -> None:
        """Start with a new notebook and no listeners."""
        self.notebook = Notebook()
        self.extras: set[str] = set()
        self.has_malformed_tools = has_malformed_tools
        self.listeners = Listeners()
        self.tasks = LastingTasks(self.listeners)
        self.secret = os.urandom(SECRET_BYTES)
