"""Files of other tools that were changed at random: what can be read becomes a recording, the rest is counted or refused in words."""

from __future__ import annotations

import gzip
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.errors import StorageError
from inspector.imports.conversion import Conversion
from inspector.transcript.recording_reader import summarize

if TYPE_CHECKING:
    from random import Random

    from tests.fuzz.case import Case

FILES = Path(__file__).parents[1] / "engine" / "imports" / "files"
"""One file of each tool, as it wrote it."""

PIECES = (
    *(
        b"{",
        b"}",
        b"[",
        b"]",
        b",",
        b":",
        b'"',
        b"\\",
        b"\n",
        b"\r\n",
        b"\0",
        b"\xff",
        b"\xef\xbb\xbf",
    ),
    *(
        b"null",
        b"true",
        b"-1",
        b"1e999",
        b"9" * 400,
        b'""',
        b'"\\ud800"',
        b"[" * 2000,
        b'{"a":' * 500,
    ),
    *(
        b'"entries":[',
        b'"encoding":"base64"',
        b'"text":"%%%"',
        b'"startedDateTime":"now"',
        b"a" * 70_000,
    ),
)


async def run(case: Case) -> None:
    """Change a file, then read every session in it."""
    source = case.random.choice(sorted(path for path in FILES.iterdir() if path.is_file()))
    data = source.read_bytes()
    if source.suffix == ".gz":
        data = gzip.decompress(data)
    path = case.folder / source.name.removesuffix(".gz")
    path.write_bytes(_changed(data, case.random))
    with suppress(StorageError):
        conversion = await Conversion.open(path)
        names = [each.key for each in await conversion.sessions()][:3] or [""]
        for number, name in enumerate(names):
            output = case.folder / f"{number}.spyglass"
            again = Conversion(path, conversion.importer)
            with suppress(StorageError):
                await again.run(output, name)
                assert summarize(output).frames == again.report.frames


def _changed(data: bytes, random: Random) -> bytes:
    """Change bytes, take parts out, put others in, or repeat what is there."""
    changed = bytearray(data)
    for _ in range(random.choice((1, 1, 3, 20))):
        start = random.randrange(len(changed) + 1)
        stop = min(start + random.choice((0, 1, 8, 200)), len(changed))
        kind = random.randrange(4)
        if kind == 0:
            changed[start:stop] = random.choice(PIECES)
        elif kind == 1:
            del changed[start:stop]
        elif kind == 2:
            changed[start:start] = changed[start:stop] * random.choice((2, 50))
        else:
            changed[start:stop] = random.randbytes(stop - start)
    if random.random() < 0.2:
        del changed[random.randrange(len(changed) + 1) :]
    return bytes(changed)
