"""Every command of the window, in one place. Menus, shortcuts and the palette are views of this list.

To add one: a row in one of the `…_commands.py`. A command says itself whether it can run now. One that *yields* runs only when
nothing inside the window wants its keys: a shortcut of Qt's would make both ambiguous, and neither would run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from msgspec.structs import replace
from PySide6.QtGui import QAction, QKeySequence

from inspector.frozen import FrozenStruct
from ui.widgets.buttons import displayed_keys

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

    from ui.shell.main_window import MainWindow
    from ui.shell.window_parts import WindowParts
    from ui.theme import Theme


class Command(FrozenStruct, frozen=True):
    """One thing that the user can request from a menu, by keys or in the palette."""

    key: str
    """A stable name."""
    text: str
    """What it is called."""
    run: Callable[[], object]
    """Does it."""
    shortcut: str = ""
    """Keys, as Qt writes them."""
    icon: str = ""
    """Icon name."""
    enabled: Callable[[], bool] = lambda: True
    """Whether it can run now."""
    checked: Callable[[], bool] | None = None
    """For a switch, whether it is on."""
    separated: bool = False
    """A line stands above it in the menu."""
    yields: bool = False
    """Its keys go to the focused widget first."""
    menu: str = ""
    """The menu it is in, which its group knows."""
    is_local: bool = False
    """Its keys hold in one part of the window, which listens to them itself; here they are only told."""


class CommandGroup:
    """The commands of one menu, and what they do."""

    menu: ClassVar[str]
    """The title of the menu, with a mnemonic."""

    def __init__(self, window: MainWindow, parts: WindowParts) -> None:
        """Act on `parts` of `window`."""
        self.window = window
        self.parts = parts

    def rows(self) -> tuple[Command, ...]:
        """The commands, in order."""
        raise NotImplementedError

    def commands(self) -> list[Command]:
        """Return the rows with their menu."""
        return [replace(row, menu=self.menu) for row in self.rows()]


class Actions:
    """The commands as Qt actions, and the menus made of them."""

    def __init__(self, commands: Sequence[Command], *, theme: Theme, owner: QWidget) -> None:
        """Make an action of each command; shortcuts work anywhere in the window of `owner`."""
        self.commands = tuple(commands)
        self._actions = {command.key: _action(command, theme, owner) for command in self.commands}
        owner.addActions(list(self._actions.values()))
        self.refresh()

    def __getitem__(self, key: str) -> QAction:
        """The action of a command."""
        return self._actions[key]

    def refresh(self) -> None:
        """Enable what can run now."""
        for command in self.commands:
            action = self._actions[command.key]
            action.setEnabled(command.enabled())
            if command.checked is not None:
                action.setChecked(command.checked())

    def fill(self, bar: QMenuBar) -> dict[str, QMenu]:
        """Make the menus, in the order in which the commands name them."""
        menus: dict[str, QMenu] = {}
        for command in self.commands:
            menu = menus.get(command.menu)
            if menu is None:
                menu = menus[command.menu] = bar.addMenu(command.menu)
                menu.setObjectName(f"menu_{command.menu.replace('&', '').lower()}")
                menu.aboutToShow.connect(self.refresh)
            if command.separated:
                menu.addSeparator()
            menu.addAction(self._actions[command.key])
        return menus

    def press(self, keys: QKeySequence) -> bool:
        """Run the command of these keys, which nothing else wanted; False if none can run now.

        Not only those that yield: Qt sends no keys to an action that was disabled when it was last looked, and whether a command can
        run depends on more than what tells of its changes.
        """
        for command in self.commands:
            listed = QKeySequence.listFromString(command.shortcut)
            if not command.is_local and keys in listed and command.enabled():
                command.run()
                return True
        return False


def _action(command: Command, theme: Theme, owner: QWidget) -> QAction:
    # Keys that are not the action's own are only shown: text after a tab stands where the menu has them.
    has_keys = bool(command.shortcut) and not (command.yields or command.is_local)
    keys = displayed_keys(command.shortcut)
    text = command.text if has_keys else f"{command.text}\t{keys}".rstrip()
    action = QAction(text, owner)
    action.setObjectName(f"action_{command.key}")
    if has_keys:
        action.setShortcuts(QKeySequence.listFromString(command.shortcut))
    action.setAutoRepeat(False)  # a key held down for too long connects once
    if command.icon:
        action.setIcon(theme.icon(command.icon, "muted"))
    action.setCheckable(command.checked is not None)
    action.triggered.connect(_runner(command))
    return action


def _runner(command: Command) -> Callable[[], None]:
    def run() -> None:
        if command.enabled():
            command.run()

    return run
