"""What was derived from a recording is taken again only for that very recording; else it is read whole."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import inspector
from inspector.checks.opened_recording import OpenedRecording
from inspector.transcript.index_cache import PART, IndexCache, deriving_modules
from inspector.transcript.recording_reader import RecordingReader
from inspector.wire.frame import Direction
from tests.bench import recording
from tests.support.recordings import run_sql, write_recording

if TYPE_CHECKING:
    from inspector.transcript.index_cache import Derived
    from inspector.transcript.transcript import Transcript

FRAMES = 20_000
ROOT = Path(inspector.__file__).parent


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recording with requests of every outcome, some over HTTP with a token, and one flaw."""
    path = tmp_path_factory.mktemp("made") / "long.spyglass"
    recording.make(path, FRAMES)
    run_sql(path, "UPDATE frame SET flaw = 3, dropped = 7 WHERE number = 9")
    return path


@pytest.fixture
def path(made: Path, tmp_path: Path) -> Path:
    """A copy of it, in a folder of its own."""
    path = tmp_path / "recordings" / "long.spyglass"
    path.parent.mkdir()
    shutil.copy2(made, path)
    return path


@pytest.fixture
def cache(tmp_path: Path) -> IndexCache:
    """An empty one, in the folder `indexes`."""
    return IndexCache(tmp_path / "indexes")


async def opened(path: Path, cache: IndexCache | None = None) -> Transcript:
    """The recording, read to its end."""
    found = await OpenedRecording.open(path, cache)
    await found.load()
    return found.transcript


def known(path: Path, cache: IndexCache) -> Derived | None:
    """What the cache has for a recording."""
    reader = RecordingReader(path)
    try:
        key = cache.key_of(reader)
        return key and cache.load(key)
    finally:
        reader.close()


def replace_in_place(path: Path, old: bytes, new: bytes) -> None:
    """Change bytes of a file and nothing else about it."""
    before = path.stat()
    path.write_bytes(path.read_bytes().replace(old, new))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


async def test_a_recording_is_the_same_when_it_is_opened_again(
    path: Path, cache: IndexCache
) -> None:
    """Ours: index, exchanges, findings, counts, tokens and bytes."""
    whole = await opened(path, cache)
    assert known(path, cache) is not None

    again = await opened(path, cache)

    assert again.columns.all == whole.columns.all
    assert again.counts == whole.counts
    assert again.counts.problems
    assert again.tokens.names == whole.tokens.names != ()
    for side in (Direction.SENT, Direction.RECEIVED):
        assert again.open_requests(side) == whole.open_requests(side)
    for number in range(1, 400):
        assert again.row(number) == whole.row(number)
        assert again.frame(number) == whole.frame(number)
        assert again.exchange(number) == whole.exchange(number)
        assert again.findings(number) == whole.findings(number)
        assert again.tokens.of(number) == whole.tokens.of(number)


async def test_nothing_is_written_beside_the_recording(path: Path, cache: IndexCache) -> None:
    """Ours: it may lie in a folder that is not ours."""
    await opened(path, cache)
    await opened(path, cache)

    assert [each.name for each in path.parent.iterdir()] == [path.name]


async def test_an_index_is_for_its_owner_only(
    path: Path, cache: IndexCache, tmp_path: Path
) -> None:
    """Ours: it holds names and addresses from the traffic."""
    await opened(path, cache)

    [file] = (tmp_path / "indexes").iterdir()
    assert file.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE frame SET raw = x'7b7d' WHERE number = 11000",
        f"DELETE FROM frame WHERE number = {FRAMES}",
        f"UPDATE frame SET number = {FRAMES + 5} WHERE number = {FRAMES}",
    ],
)
async def test_a_recording_that_was_changed_is_read_whole(
    path: Path, cache: IndexCache, sql: str
) -> None:
    """Ours."""
    await opened(path, cache)
    run_sql(path, sql)

    assert known(path, cache) is None
    assert (await opened(path, cache)).columns.all == (await opened(path)).columns.all


async def test_another_recording_of_the_same_size_and_time_is_read_whole(
    path: Path, cache: IndexCache
) -> None:
    """Ours: its bytes are compared too."""
    await opened(path, cache)
    replace_in_place(path, b"tool_0", b"tool_1")

    assert known(path, cache) is None


@pytest.mark.parametrize("place", [4, 40, -100_000, -1])
async def test_an_index_with_a_wrong_byte_is_not_used(
    path: Path, cache: IndexCache, tmp_path: Path, place: int
) -> None:
    """Ours."""
    await opened(path, cache)
    [file] = (tmp_path / "indexes").iterdir()
    content = bytearray(file.read_bytes())
    content[place] ^= 1
    file.write_bytes(content)

    assert known(path, cache) is None


@pytest.mark.parametrize("length", [0, 6, 300, -1])
async def test_an_index_that_was_cut_is_not_used(
    path: Path, cache: IndexCache, tmp_path: Path, length: int
) -> None:
    """Ours."""
    await opened(path, cache)
    [file] = (tmp_path / "indexes").iterdir()
    file.write_bytes(file.read_bytes()[:length])

    assert known(path, cache) is None


async def test_nothing_is_kept_of_a_recording_with_missing_frames(
    path: Path, cache: IndexCache, tmp_path: Path
) -> None:
    """Ours: each opening tells what is missing."""
    run_sql(path, "DELETE FROM frame WHERE number = 5000")

    await opened(path, cache)

    assert not list((tmp_path / "indexes").glob("*"))


async def test_an_index_goes_after_its_recording(
    path: Path, cache: IndexCache, tmp_path: Path
) -> None:
    """Ours: when any recording is opened, even one of which nothing is kept; what a crash has left goes too."""
    await opened(path, cache)
    [index] = (tmp_path / "indexes").iterdir()
    left, written = (index.with_suffix(f".{number}{PART}") for number in (1, 2))
    left.touch()
    os.utime(left, (0, 0))
    written.touch()
    shutil.move(path, tmp_path / "moved")
    await write_recording(path.with_name("short.spyglass"))

    await opened(path.with_name("short.spyglass"), cache)

    assert list((tmp_path / "indexes").iterdir()) == [written]


async def test_nothing_is_kept_of_a_recording_that_was_replaced_after_it_was_opened(
    path: Path, cache: IndexCache
) -> None:
    """Ours: what was derived belongs to other bytes than those that the next opening finds."""
    other = path.with_name("other")
    shutil.copy2(path, other)
    replace_in_place(other, b"tool_0", b"tool_1")
    found = await OpenedRecording.open(path, cache)
    shutil.move(other, path)

    await found.load()

    assert found.transcript.count == FRAMES
    assert known(path, cache) is None


def test_the_modules_that_decide_on_labels_and_findings_are_part_of_the_key() -> None:
    """Ours: a change of them changes what is derived."""
    names = {module.relative_to(ROOT).as_posix() for module in deriving_modules()}

    assert {"finding.py", "spec/methods.py", "spec/keys.py", "transcript/index.py"} <= names
    assert "wire/message.py" in names


async def test_an_index_whose_sizes_are_not_those_of_its_counts_is_not_kept(
    path: Path, cache: IndexCache, tmp_path: Path
) -> None:
    """Ours."""
    transcript = await opened(path)
    sizes = transcript.columns.size[:]
    sizes[3] += 1
    columns = {**transcript.columns.all, "size": sizes}
    reader = RecordingReader(path)
    key = cache.key_of(reader)
    assert key is not None

    cache.store(reader, key, columns, transcript.derived_state())
    reader.close()

    assert not (tmp_path / "indexes").exists()


async def test_a_folder_that_cannot_be_written_keeps_no_recording_from_opening(
    path: Path, tmp_path: Path
) -> None:
    """Ours."""
    (tmp_path / "file").write_bytes(b"")

    assert (await opened(path, IndexCache(tmp_path / "file"))).count == FRAMES
