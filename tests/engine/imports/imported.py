"""Files that are imported, for the tests of importers."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from inspector.imports.conversion import Conversion
from inspector.wire.frame import Channel, Direction
from tests.support.recordings import open_whole

if TYPE_CHECKING:
    from inspector.imports.importer import ImportReport
    from inspector.transcript.transcript import Transcript

FILES = Path(__file__).parent / "files"
SENT, RECEIVED = Direction.SENT, Direction.RECEIVED
AT = 1785578400.0
"""2026-08-01T10:00:00Z."""


class Imported(NamedTuple):
    """What became of a file."""

    transcript: Transcript
    report: ImportReport
    format: str

    @property
    def rows(self) -> list[tuple[Direction, Channel, str]]:
        """Direction, channel and method of every frame."""
        rows = map(self.transcript.row, range(1, self.transcript.count + 1))
        return [(row.direction, row.channel, row.method) for row in rows]

    @property
    def seconds(self) -> list[float]:
        """The time of every frame after that of the first one."""
        times = self.transcript.columns.wall_s
        return [round(each - times[0], 3) for each in times]


async def imported(path: Path, folder: Path, session: str = "") -> Imported:
    """Import a file, and open the recording that was made of it."""
    output = folder / "imported.spyglass"
    conversion = await Conversion.open(path)
    await conversion.run(output, session)
    recording = await open_whole(output)
    await recording.aclose()
    assert not recording.report.sentences
    return Imported(recording.transcript, conversion.report, conversion.importer.key)


def unpacked(name: str, folder: Path) -> Path:
    """A database that another tool wrote."""
    path = folder / name
    path.write_bytes(gzip.decompress((FILES / f"{name}.gz").read_bytes()))
    return path
