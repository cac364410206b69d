"""What checking a recording gave is there again when it is opened again, without checking it; ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.checks import kept_checks, opened_recording
from inspector.checks.clients import OPENAI_STRICT
from inspector.checks.opened_recording import OpenedRecording
from inspector.checks.output_schema import OutputState
from inspector.checks.probed import PROBED, ProbeOutcome, ProbeRecord
from inspector.finding import Severity
from inspector.transcript import index_cache, recording_loader
from inspector.transcript.index_cache import CHECKS, IndexCache
from inspector.transcript.recording_file import write_copy
from inspector.transcript.recording_reader import RecordingReader
from tests.engine.checks.families.conversations import connect
from tests.engine.checks.families.tools_cases import listed, tool
from tests.support.recordings import run_sql
from tests.support.talk import Talk

if TYPE_CHECKING:
    from pathlib import Path

    from inspector.json_value import Json, JsonObject

SCHEMA: JsonObject = {
    "type": "object",
    "properties": {"sum": {"type": "number"}},
    "required": ["sum"],
}
PROBED_PING = ProbeRecord("ping", "Ping", ProbeOutcome.PASSED, "a result", (), 1)


@pytest.fixture(autouse=True)
def _short_recordings_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (recording_loader, opened_recording):
        monkeypatch.setattr(module, "MIN_FRAMES", 1)


@pytest.fixture
async def path(tmp_path: Path) -> Path:
    """A recording with a tool that breaks its output schema, and keeps to it."""
    path = tmp_path / "x.spyglass"
    talk = Talk()
    connect(talk, tools={})
    talk.request(2, "tools/list")
    tool: JsonObject = {"name": "add", "inputSchema": {"type": "object"}, "outputSchema": SCHEMA}
    talk.result(2, tools=[tool])
    sums: tuple[Json, ...] = ("five", 5)
    for id_, value in enumerate(sums, 3):
        talk.call(id_, "add")
        talk.result(id_, content=[], structuredContent={"sum": value})
    talk.note(PROBED, PROBED_PING.sentence, **PROBED_PING.facts())
    await write_copy(talk.transcript, path)
    return path


async def opened(path: Path, cache: IndexCache, *clients: str) -> OpenedRecording:
    """The recording, read to its end; limits of clients are those of `clients`."""
    found = await OpenedRecording.open(path, cache)
    found.sweep.set_targets(frozenset(clients))
    await found.load()
    return found


async def test_its_problems_are_there_as_soon_as_it_is_read(path: Path, tmp_path: Path) -> None:
    """Ours: findings, counts, what rules saw, what validating results gave, and what probes came to."""
    cache = IndexCache(tmp_path / "indexes")
    before = await opened(path, cache)
    assert before.sweep.pending
    await before.validate()
    await before.aclose()

    again = await opened(path, cache)

    assert not again.sweep.pending
    assert again.transcript.all_findings == before.transcript.all_findings
    assert "L-TOOL-19" in again.transcript.rule_findings
    assert again.transcript.counts == before.transcript.counts
    assert again.sweep.rules.seen_rules == before.sweep.rules.seen_rules
    assert again.sweep.results.outcomes == before.sweep.results.outcomes
    assert again.sweep.rules.history.probes.all == (PROBED_PING,)
    states = {check.state for check in again.sweep.results.outcomes.values()}
    assert {OutputState.VALID, OutputState.INVALID} <= states
    await again.aclose()


@pytest.mark.parametrize(
    ("first", "then", "is_checked_again"),
    [
        (("VS Code",), ("VS Code",), False),
        (("VS Code",), (), True),
        ((), ("VS Code", OPENAI_STRICT), True),
        ((OPENAI_STRICT, "VS Code"), (), True),
    ],
)
async def test_limits_of_clients_are_kept_for_the_same_clients(
    tmp_path: Path, first: tuple[str, ...], then: tuple[str, ...], *, is_checked_again: bool
) -> None:
    """Ours: for other clients they alone are checked again, and are as if nothing had been kept."""
    talk = Talk()
    listed(tool(name="n" * 50))(talk)
    path = tmp_path / "limits.spyglass"
    await write_copy(talk.transcript, path)
    cache = IndexCache(tmp_path / "indexes")
    before = await opened(path, cache, *first)
    await before.validate()
    await before.aclose()

    again = await opened(path, cache, *then)

    assert bool(again.sweep.pending) is is_checked_again
    await again.validate()
    fresh = await opened(path, IndexCache(tmp_path / "none"), *then)
    await fresh.validate()
    assert again.transcript.all_findings == fresh.transcript.all_findings
    assert again.sweep.rules.seen_rules == fresh.sweep.rules.seen_rules
    assert ("L-MDL-19" in again.sweep.rules.seen_rules) is (OPENAI_STRICT in then)
    severity = Severity.ERROR if then else Severity.INFO
    assert again.transcript.rule_findings["L-MDL-10"].severity is severity
    await again.aclose()
    await fresh.aclose()


@pytest.mark.parametrize("change", ["code", "bytes", "recording"])
async def test_it_is_checked_again_if_anything_may_be_different(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    """Ours: rules of another version, a damaged file of ours, a recording that was changed."""
    cache = IndexCache(tmp_path / "indexes")
    before = await opened(path, cache)
    await before.validate()
    await before.aclose()
    [kept] = (tmp_path / "indexes").glob(f"*{CHECKS}")
    if change == "code":
        monkeypatch.setattr(kept_checks, "code", lambda: "other")
    elif change == "bytes":
        raw = bytearray(kept.read_bytes())
        raw[-20] ^= 1
        kept.write_bytes(raw)
    else:
        run_sql(path, "UPDATE frame SET raw = x'7b7d' WHERE number = 8")

    again = await opened(path, cache)

    assert again.sweep.pending
    await again.aclose()


async def test_a_finding_that_cannot_be_written_is_found_again(tmp_path: Path) -> None:
    """Ours: JSON may have lone surrogates, which no file of ours holds; checking ends as always."""
    path, cache = tmp_path / "x.spyglass", IndexCache(tmp_path / "indexes")
    talk = Talk()
    connect(talk)
    talk.request(2, "ping")
    talk.result(2, _meta={"\ud800 x": 1})
    await write_copy(talk.transcript, path)
    before = await opened(path, cache)

    await before.validate()

    assert "L-MET-01" in before.transcript.rule_findings
    await before.aclose()
    again = await opened(path, cache)
    assert again.sweep.pending
    await again.aclose()


def test_validators_of_another_version_are_other_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ours: they may be updated without Spyglass."""
    make = kept_checks.code.__wrapped__
    before = make()
    assert make() == before

    def version(name: str) -> str:
        return f"{name} 99"

    monkeypatch.setattr(kept_checks.metadata, "version", version)
    assert make() != before


@pytest.mark.parametrize(("size", "is_kept"), [(100_000, True), (100_001, False)])
async def test_only_so_much_is_kept_and_none_of_it_is_read_to_prune(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int, *, is_kept: bool
) -> None:
    """Ours: the folder is pruned whenever a recording is opened."""
    monkeypatch.setattr(index_cache, "MAX_CHECKS_BYTES", 100_000)
    cache, read = IndexCache(tmp_path / "indexes"), RecordingReader(path)
    key = cache.key_of(read)
    assert key is not None

    cache.store_checks(read, key, b"a" * size)

    assert cache.load_checks(key) == (b"a" * size if is_kept else b"")
    monkeypatch.setattr(index_cache, "MAX_HEADER_BYTES", 10_000)
    cache.prune()
    assert len(list((tmp_path / "indexes").glob(f"*{CHECKS}"))) == is_kept
    read.close()
