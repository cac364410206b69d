"""Adding a server, or correcting one: paste anything, see what was understood, change what is wrong.

Not modal: it opens with `show()` and the rest of the window stays usable. Nothing that was typed is
lost by Esc or by closing: both ask in place when there is something to lose.
"""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QKeySequence, QResizeEvent, QShortcut, QShowEvent
from PySide6.QtWidgets import QDialog, QScrollArea, QWidget

from inspector.config.authorization import AUTOMATIC
from inspector.config.fill_placeholders import fill_placeholders
from inspector.config.profile import Profile, name_for
from inspector.config.profile_warnings import profile_warnings, split_command
from inspector.config.secret_extraction import AUTH, has_masked_text
from inspector.errors import InspectorError
from inspector.session.transport_factory import transport_kind
from inspector.visible_text import one_line
from ui.aio import spawn
from ui.connect.command_preview import CommandPreview
from ui.connect.notice_bar import NoticeBar
from ui.connect.paste_box import Checklist, PasteBox
from ui.connect.profile_form import ProfileForm, find_program, is_folder
from ui.connect.state_styles import APPLIES
from ui.tab_order import tab_around
from ui.theme import tokens
from ui.widgets.buttons import push_button, submit_shortcut
from ui.widgets.dialog_parts import DialogFoot, DialogSize, DialogTitle, set_size
from ui.widgets.layout_parts import CappedColumn, Hairline, column_layout
from ui.widgets.units import plural

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from inspector.config.importers.result import Imported
    from inspector.config.server_list import ServerList
    from inspector.session.era_cache import CachedEra
    from ui.theme import Theme

RUN_SHARE = 0.35
"""Of the height, for what will run, before it scrolls."""

LOW_HEIGHT = 400
"""Below this, at 100%, what will run scrolls together with the fields."""


class ServerEditor(QDialog):
    """The editor of one server, or of all that a paste names.

    Signals:
        saved: take these profiles (a tuple of `Profile`) into the list, and connect to the first if True.
        forget_requested: forget, now, what earlier connections found out about this server (a `Profile`).
    """

    saved = Signal(object, bool)
    forget_requested = Signal(object)

    def __init__(
        self,
        *,
        server_list: ServerList,
        theme: Theme,
        profile: Profile | None = None,
        find: Callable[[Profile, str], str | None] = find_program,
        recall: Callable[[Profile], CachedEra | None] = lambda _profile: None,
        pending: Callable[[], int | None] = lambda: None,
        environ: Mapping[str, str] = os.environ,
        parent: QWidget | None = None,
    ) -> None:
        """Edit `profile`, or a new one.

        `find` says where a program would be found, `recall` what connections found out,
        `pending` how many requests wait for a response in the session that runs, or that none does; `environ` fills placeholders.
        """
        super().__init__(parent)
        self.setObjectName("server_editor")
        self._server_list = server_list
        self._theme = theme
        self._find = find
        self._recall = recall
        self._pending = pending
        self._environ = environ
        self._is_new = profile is None
        self._profiles: list[Profile] = [profile or Profile()]
        self._pasted: tuple[Profile, ...] = ()
        """What the text in the paste box named, as the fields show it; empty when it names no server."""
        self._original = self._profiles[0]
        self._current = 0
        self._build()
        self._wire()
        self.form.set_profile(self._original)
        self._original = self.form.profile()  # as the fields say it, to compare with
        self._refresh()
        if has_masked_text(self._original):
            self.form.reveal_requested.emit()

    def _build(self) -> None:
        self.setWindowTitle("Add server" if self._is_new else self._title())
        self.paste_box = PasteBox(theme=self._theme, replaces=not self._is_new, parent=self)
        self.checklist = Checklist(theme=self._theme, parent=self)
        self.form = ProfileForm(theme=self._theme, parent=self)
        self.will_run = CommandPreview(theme=self._theme, parent=self)
        self._notice = NoticeBar(theme=self._theme, name="editor_notice", parent=self)
        self._cancel = push_button("Cancel", name="cancel_edit", parent=self)
        self._save = push_button("Save", name="save_server", parent=self)
        self._connect = push_button(
            "Save and connect", name="save_and_connect", primary=True, parent=self
        )
        self._look = QTimer(self, interval=tokens.DEBOUNCE_MS, singleShot=True)
        self._arrange()

    def _arrange(self) -> None:
        theme = self._theme
        title = DialogTitle(theme=theme, name="editor_title", parent=self)
        title.set_text(self.windowTitle())
        inner = QWidget()
        inner.setProperty("surface", "panel")
        self._body = column_layout(
            inner, self.paste_box, self.checklist, self.form, space=theme.px(10)
        )
        self._body.addStretch(1)
        scroll = QScrollArea(self)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # all that is in it takes the focus
        scroll.setWidgetResizable(True)
        scroll.setWidget(inner)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        foot = DialogFoot(theme=theme, name="editor_foot", parent=self)
        for button in (self._cancel, self._save, self._connect):
            foot.add_right(button)
        self._shows_run = CappedColumn(name="will_run_scroll", parent=self)
        self._shows_run.column.addWidget(self.will_run)
        self._above_foot = column_layout(None, self._shows_run, self._notice, space=theme.px(8))
        column = column_layout(self, title, Hairline(theme=theme, parent=self), space=0)
        column.addWidget(scroll, 1)
        column.addLayout(self._above_foot)
        column.addWidget(foot)
        self._dress()
        set_size(self, theme, DialogSize.MEDIUM)

    def _dress(self) -> None:
        px = self._theme.px
        pad = px(tokens.READING_PADDING_PX)
        self._body.setContentsMargins(pad, px(12), pad, px(12))
        self._above_foot.setContentsMargins(pad, 0, pad, px(8))

    def _wire(self) -> None:
        self.paste_box.understood.connect(self._on_understood)
        self.paste_box.not_understood.connect(self._on_not_understood)
        self.checklist.current_changed.connect(self._on_current_changed)
        self.checklist.changed.connect(self._refresh)
        self.form.changed.connect(self._on_form_changed)
        self.form.split_requested.connect(self._on_split_requested)
        self.form.reveal_requested.connect(lambda: spawn(self, self._reveal(), name="read secrets"))
        self.form.forget_requested.connect(self._on_forget_requested)
        self.will_run.fill_requested.connect(self._on_fill_requested)
        self._look.timeout.connect(self._refresh)
        self._cancel.clicked.connect(self.reject)
        self._save.clicked.connect(lambda: self._finish(connect=False))
        self._connect.clicked.connect(lambda: self._finish(connect=True))
        self._theme.changed.connect(self._dress)
        submit_shortcut(self, partial(self._finish, connect=True))
        saves = QShortcut(QKeySequence("Ctrl+S"), self)
        saves.setAutoRepeat(False)
        saves.activated.connect(partial(self._finish, connect=False))

    def _refresh(self) -> None:
        """Follow the fields: what would run, what to notice, what can be saved."""
        profile = self.form.profile()

        def find(command: str) -> str | None:
            return self._find(profile, command)

        found = find(profile.command) if profile.command else None
        can_split = split_command(profile, find) != profile
        self.form.show_found(f"Found: {found}" if found else "", can_split=can_split)
        self.form.show_name(
            name_for(profile), self._server_list.free_name(profile.name, but=profile.id)
        )
        self.form.show_cached_era(None if profile.revision else self._recall(profile))
        named = profile.command or profile.url
        warnings = profile_warnings(profile, find, is_folder) if named else ()
        filling = fill_placeholders(profile, self._environ)
        self.will_run.show_profile(profile, warnings, filling.filled)
        ready = bool(self.chosen())
        self._save.setEnabled(ready)
        self._connect.setEnabled(ready)
        self._show_way_to_connect()

    def _show_way_to_connect(self) -> None:
        """Of a server that is connected, say that it is connected to again, and what that ends."""
        pending = self._pending()
        self._connect.setText("Save and connect" if pending is None else "Save and reconnect")
        self._connect.setAccessibleName(self._connect.text())
        ends = f"Ends {plural(pending, 'pending request')}." if pending else ""
        self._connect.setToolTip(ends)
        self._save.setToolTip("" if pending is None else APPLIES)

    def paste(self, text: str) -> None:
        """Put a text into the paste box, as if the user had pasted it."""
        self.paste_box.set_text(text)

    def chosen(self) -> tuple[Profile, ...]:
        """The profiles that *Save* would take: those that name a program or an address."""
        self._keep_fields()
        rows = self.checklist.checked() if len(self._profiles) > 1 else (0,)
        chosen = (self._profiles[row] for row in rows)
        return tuple(_named(item) for item in chosen if _leads_somewhere(item))

    def is_changed(self) -> bool:
        """Whether there is something that closing would lose."""
        self._keep_fields()
        pasted = self.paste_box.text.toPlainText().strip()
        return len(self._profiles) > 1 or self._profiles[0] != self._original or bool(pasted)

    def discard(self) -> None:
        """Close without asking."""
        super().reject()

    def _title(self) -> str:
        return f"Edit {one_line(self._profiles[0].name, 80)}"

    def _keep_fields(self) -> None:
        self._profiles[self._current] = self.form.profile()

    def _finish(self, *, connect: bool) -> None:
        profiles = self.chosen()
        if profiles:
            self.accept()
            self.saved.emit(profiles, connect)

    def _on_understood(self, reading: Imported) -> None:
        profiles = list(reading.profiles)
        if not self._is_new:  # a paste over a saved server corrects it
            old = self._original
            pasted = replace(profiles[0], id=old.id, name=old.name, revision=old.revision)
            if pasted.authorization == AUTOMATIC:  # the text says nothing about it
                kept = tuple(slot for slot in old.extracted if slot.startswith(AUTH))
                sealed = (*pasted.extracted, *kept)
                pasted = replace(pasted, authorization=old.authorization, extracted=sealed)
            profiles = [pasted]
        self._show(profiles)
        self._keep_fields()
        self._pasted = tuple(self._profiles)
        self._notice.clear()

    def _on_not_understood(self) -> None:
        """Take away what the text before named; what the user has changed since stays, and is marked."""
        if not self._pasted:
            return
        self._keep_fields()
        if tuple(self._profiles) == self._pasted:
            self._show([self._original])
        else:
            self._notice.show_notice(
                "The fields below are from the text before, with your changes.", tone="warning"
            )
        self._pasted = ()

    def _show(self, profiles: list[Profile]) -> None:
        self._profiles = profiles
        self._current = 0
        self.checklist.set_profiles(profiles)
        self.form.set_profile(profiles[0])
        self._refresh()

    def _on_current_changed(self, row: int) -> None:
        self._keep_fields()
        self._current = row
        self.form.set_profile(self._profiles[row])
        self._refresh()

    def _on_form_changed(self) -> None:
        self._keep_fields()
        self.checklist.set_profile(self._current, self._profiles[self._current])
        self._look.start()

    def _on_split_requested(self) -> None:
        profile = self.form.profile()
        self.form.set_profile(split_command(profile, lambda name: self._find(profile, name)))
        self._on_form_changed()

    def _on_fill_requested(self) -> None:
        filling = fill_placeholders(self.form.profile(), self._environ)
        self.form.set_profile(filling.profile)
        missing = f" Not there: {', '.join(filling.missing)}." if filling.missing else ""
        self._notice.show_notice(
            f"Filled in from the environment: {', '.join(filling.filled)}.{missing}",
            tone="warning" if missing else "info",
        )
        self._on_form_changed()

    def _on_forget_requested(self) -> None:
        self.forget_requested.emit(self.form.profile())
        self._refresh()

    async def _reveal(self) -> None:
        before = opened = Profile()
        original = self._original
        try:
            while (
                self.form.profile() != before
            ):  # the user goes on typing while the secrets are read
                before = self.form.profile()
                opened = await self._server_list.resolve(before)
                original = await self._server_list.resolve(self._original)
        except InspectorError as error:
            self._notice.show_notice(f"{error.reason} {error.hint}", tone="error")
            return
        if opened.extracted:
            self._notice.show_notice(
                "Not found in the keyring. Enter the value again.", tone="warning"
            )
        self.form.set_profile(opened)
        self._original = original

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A long command with many cautions leaves the fields their room."""
        super().resizeEvent(event)
        self._shows_run.set_max_height(round(self.height() * RUN_SHARE))
        is_low = self.height() < self._theme.px(LOW_HEIGHT)
        if is_low == self._shows_run.isHidden():
            return
        self._shows_run.setHidden(is_low)
        if is_low:
            self._body.insertWidget(self._body.count() - 1, self.will_run)
        else:
            self._shows_run.column.addWidget(self.will_run)

    def showEvent(self, event: QShowEvent) -> None:
        """Where to begin: pasting, or the name of what is there."""
        super().showEvent(event)
        first = self.paste_box.text if self._is_new else self.form.name
        first.setFocus(Qt.FocusReason.OtherFocusReason)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes on in the order that is seen, and round at the end."""
        return tab_around(self, forward=forward) or super().focusNextPrevChild(forward)

    def reject(self) -> None:
        """Esc and *Cancel*: ask in place if something would be lost; a second Esc goes on editing."""
        if not self._notice.isHidden():
            self._notice.clear()
        elif self.is_changed():
            self._ask()
        else:
            super().reject()

    def _ask(self) -> None:
        self._notice.show_notice(
            "You have unsaved changes.",
            ("Keep editing", "keep_editing", lambda: None),
            ("Discard", "discard_edit", self.discard),
            tone="warning",
        )
        self._notice.focus_choice()

    def closeEvent(self, event: QCloseEvent) -> None:
        """The window's own close button asks too."""
        if self.is_changed():
            event.ignore()
            self._ask()
        else:
            super().closeEvent(event)


def _named(profile: Profile) -> Profile:
    return profile if profile.name else replace(profile, name=name_for(profile))


def _leads_somewhere(profile: Profile) -> bool:
    return bool(profile.command if transport_kind(profile.transport).is_process else profile.url)
