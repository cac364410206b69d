"""The dialog before anything is exported: it shows what will be written, what is masked in it, and how far the writing is."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QFileDialog, QProgressBar, QWidget

from inspector.background_tasks import SLICE_SECONDS
from inspector.errors import StorageError
from inspector.export.pieces import Piece, is_turn
from inspector.export.saving import free_path, masked_text
from inspector.transcript.redaction import Masking
from ui.aio import spawn
from ui.widgets.buttons import push_button
from ui.widgets.combo_boxes import OptionComboBox
from ui.widgets.dialog_parts import PADDING, DialogFoot, DialogSize, DialogTitle, set_size
from ui.widgets.labels import plain_label, set_tone
from ui.widgets.layout_parts import column_layout, row_layout
from ui.widgets.notice import Notice
from ui.widgets.save import suggested_name
from ui.widgets.segmented_control import SegmentedControl
from ui.widgets.text_view import TextView
from ui.widgets.units import plural, size

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Sequence

    from inspector.export.saving import Job
    from ui.export.targets import Rows, Target
    from ui.theme import Theme

PREVIEW_FRAMES, PREVIEW_CHARACTERS = 200, 200_000
"""What the preview shows at most."""

PROGRESS_MS = 100
"""How often the progress is shown."""

CONFIRM = "Include tokens, keys and passwords in the file?"
CONFIRM_TEXT = "Everyone who gets the file can read them."


class ExportDialog(QDialog):
    """Exports rows.

    Signals:
        saved: what was written, as a sentence.
    """

    saved = Signal(str)

    def __init__(
        self,
        targets: Sequence[Target],
        rows: Sequence[Rows],
        *,
        selected: str,
        title: str,
        name: str,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        """Offer `targets` and `rows`, of these the one of key `selected` first; `name` is the suggested name of the file, without ending."""
        super().__init__(parent)
        self.setObjectName("export_dialog")
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._targets = {target.key: target for target in targets}
        self._rows = {each.key: each for each in rows}
        self._name = name
        self._theme = theme
        self._with_secrets = False
        self._previewing: asyncio.Task[None] | None = None
        self._jobs: list[Job] = []
        self._build(title)
        self.rows.choose(selected)
        self._wire()
        (self.target if len(targets) > 1 else self.save).setFocus()
        set_size(self, theme, DialogSize.MEDIUM)
        self._show_preview()

    def _build(self, title: str) -> None:
        theme = self._theme
        heading = DialogTitle(theme=theme, name="export_title", parent=self)
        heading.set_text(title)
        self.target = OptionComboBox(
            [(key, each.title) for key, each in self._targets.items()],
            name="export_format",
            text="Format",
        )
        self.rows = SegmentedControl(
            [(key, f"{each.title} {each.count:,}") for key, each in self._rows.items()],
            name="export_rows",
        )
        self.rows.setAccessibleName("Rows")
        self.secrets = QCheckBox("Include secrets", self)
        self.secrets.setObjectName("export_secrets")
        choices = row_layout(None, self.target, self.rows, self.secrets, space=theme.PADDING_PX)
        choices.addStretch(1)
        for part, is_needed in ((self.target, self._targets), (self.rows, self._rows)):
            part.setVisible(len(is_needed) > 1)
        self._confirm = Notice(theme=theme, name="export_confirm", tone="warning", parent=self)
        self._include = self._confirm.add_button("Include secrets", name="export_include")
        self._mask = self._confirm.add_button("Cancel", name="export_mask")
        self.masked = plain_label(tone="muted", name="export_masked", wrap=True, parent=self)
        self.preview = TextView(theme=theme, name="export_preview", parent=self)
        self.preview.edit.setAccessibleName("Preview")
        self.preview.bar.has_save = False
        self._progress = QProgressBar(self)
        self._progress.setObjectName("export_progress")
        self._progress.setTextVisible(False)
        self.state = plain_label(name="export_state", wrap=True, parent=self)
        inner = column_layout(None, space=theme.SPACING_PX)
        pad = theme.px(PADDING)
        inner.setContentsMargins(pad, 0, pad, pad // 2)
        inner.addLayout(choices)
        for each in (self._confirm, self.masked):
            inner.addWidget(each)
        inner.addWidget(self.preview, 1)
        for each in (self._progress, self.state):
            inner.addWidget(each)
        column = column_layout(self, heading, space=0)
        column.addLayout(inner, 1)
        column.addWidget(self._foot())
        self._progress.hide()

    def _foot(self) -> QWidget:
        foot = DialogFoot(theme=self._theme, name="export_foot", parent=self)
        self._stop = push_button("Stop", name="export_stop", parent=foot)
        self._close = push_button("Close", name="export_close", parent=foot)
        self.save = push_button("Save as…", name="export_save", primary=True, parent=foot)
        for button in (self._stop, self._close, self.save):
            foot.add_right(button)
        self._stop.hide()
        return foot

    def _wire(self) -> None:
        self.target.chosen.connect(self._show_preview)
        self.rows.chosen.connect(self._show_preview)
        self.secrets.clicked.connect(self._on_secrets_clicked)
        self._include.clicked.connect(lambda: self._set_with_secrets(included=True))
        self._mask.clicked.connect(lambda: self._set_with_secrets(included=False))
        self._close.clicked.connect(self.reject)
        self._stop.clicked.connect(self._on_stop_clicked)
        self.save.clicked.connect(self._on_save_clicked)
        self._ticks = QTimer(self, interval=PROGRESS_MS)
        self._ticks.timeout.connect(self._show_progress)

    def _on_secrets_clicked(self) -> None:
        """Ask before secrets are included: the box is not checked until that is confirmed."""
        if self.secrets.isChecked():
            self.secrets.setChecked(False)
            self._confirm.set_text(CONFIRM, CONFIRM_TEXT)
            self._mask.setFocus()
        else:
            self._set_with_secrets(included=False)

    def _set_with_secrets(self, *, included: bool) -> None:
        self._confirm.hide()
        self.secrets.setChecked(included)
        self.secrets.setFocus()
        if included != self._with_secrets:
            self._with_secrets = included
            self._show_preview()

    @property
    def _chosen(self) -> tuple[Target, Rows]:
        return self._targets[self.target.current()], self._rows[self.rows.current()]

    def _show_preview(self) -> None:
        if self._previewing is not None:
            self._previewing.cancel()
        self._previewing = spawn(self, self._make_preview(), name="make the preview of an export")

    async def _make_preview(self) -> None:
        from asyncio import sleep

        target, rows = self._chosen
        self.save.setEnabled(bool(rows.count))
        texts: list[str] = []
        taken = length = 0
        masked = ""
        until = perf_counter() + SLICE_SECONDS
        try:
            for part in rows.parts[:1]:
                masking = Masking(part.transcript, with_secrets=self._with_secrets)
                taken = min(len(part.numbers), PREVIEW_FRAMES)
                for text in target.preview.write(part.transcript, part.numbers[:taken], masking):
                    if not is_turn(text) and length < PREVIEW_CHARACTERS:
                        line = text if isinstance(text, Piece) else f"{text}\n"
                        texts.append(line[: PREVIEW_CHARACTERS - length])
                        length += len(texts[-1])
                    if perf_counter() >= until:
                        await sleep(0)
                        until = perf_counter() + SLICE_SECONDS
                masked = masked_text(masking)
        except StorageError as error:
            self._show_state(f"{error.reason}.", tone="error")
            return
        self.preview.set_text("".join(texts).removesuffix("\n"))
        self._show_masked(masked, is_whole=taken == rows.count)
        self._show_state(self._extent(rows, taken, is_cut=length >= PREVIEW_CHARACTERS))

    def _show_masked(self, masked: str, *, is_whole: bool) -> None:
        if self._with_secrets:
            text, tone = "Secrets are included.", "warning"
        else:
            extent = "" if is_whole else " in the preview; the rest is masked, too"
            text = f"{masked}{extent}." if masked else f"No secrets found{extent}."
            tone = "muted"
        self.masked.setText(text)
        set_tone(self.masked, tone)

    @staticmethod
    def _extent(rows: Rows, taken: int, *, is_cut: bool) -> str:
        parts = [plural(rows.count, "frame")]
        if len(rows.parts) > 1:
            parts.append(f"{len(rows.parts)} files, one for each run")
        if taken < rows.count:
            parts.append(f"the preview shows the first {taken:,}")
        elif is_cut:
            parts.append("the preview is cut")
        return "; ".join(parts)

    def _show_state(self, text: str, *, tone: str = "muted") -> None:
        self.state.setText(text)
        set_tone(self.state, tone)

    def _on_save_clicked(self) -> None:
        target, _ = self._chosen
        dialog = QFileDialog(self, "Export")
        dialog.setObjectName("export_file_dialog")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilter(f"{target.title} (*{target.suffix})")
        dialog.setDefaultSuffix(target.suffix)  # the file with it is asked about, if it exists
        dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
        dialog.selectFile(suggested_name(f"{self._name}{target.suffix}"))
        dialog.fileSelected.connect(self.write_to)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def write_to(self, path: str) -> None:
        """Write the file, or one for each run, of which those after the first replace no other file."""
        target, rows = self._chosen
        file = Path(path) if Path(path).suffix else Path(f"{path}{target.suffix}")
        later = range(2, len(rows.parts) + 1)
        paths = [file, *(free_path(_numbered(file, at)) for at in later)]
        self._jobs = [
            target.make(part, Masking(part.transcript, with_secrets=self._with_secrets))
            for part in rows.parts
        ]
        self._set_writing(is_writing=True)
        spawn(self, self._write(paths), name="export")

    async def _write(self, paths: list[Path]) -> None:
        total, written = 0, list[Path]()
        try:
            for job, path in zip(self._jobs, paths, strict=True):
                length = await job.run(path)
                if not length:
                    self._show_state(f"Stopped. {_written_text(written)}")
                    return
                total += length
                written.append(path)
        except StorageError as error:
            self._show_state(f"{error.reason}. {_written_text(written)}", tone="error")
            return
        finally:
            self._set_writing(is_writing=False)
        masked = "; ".join(filter(None, (masked_text(job.masking) for job in self._jobs)))
        more = f" and {plural(len(paths) - 1, 'more file')}" if len(paths) > 1 else ""
        text = f"Exported {size(total)} to {paths[0]}{more}"
        self.saved.emit(f"{text}; {masked}" if masked else text)
        self.accept()

    def _set_writing(self, *, is_writing: bool) -> None:
        self._stop.setVisible(is_writing)
        self._progress.setVisible(is_writing)
        for part in (self.save, self.target, self.rows, self.secrets):
            part.setEnabled(not is_writing)
        if is_writing:
            self._ticks.start()
            self._stop.setFocus()
            self._show_progress()
        else:
            self._ticks.stop()

    def _show_progress(self) -> None:
        done, total = sum(job.done for job in self._jobs), sum(job.frames for job in self._jobs)
        self._progress.setRange(0, 1000)
        self._progress.setValue(1000 * done // max(1, total))
        self._show_state(f"Writing: {done:,} of {plural(total, 'frame')}")

    def _on_stop_clicked(self) -> None:
        for job in self._jobs:
            job.stop()

    def reject(self) -> None:
        """Stop what is being written, too."""
        self._on_stop_clicked()
        super().reject()


def _numbered(file: Path, number: int) -> Path:
    return file.with_name(f"{file.stem}-run-{number}{file.suffix}")


def _written_text(paths: Sequence[Path]) -> str:
    names = ", ".join(path.name for path in paths)
    return f"Written: {names}." if names else "No file was written."
