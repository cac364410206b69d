"""What the rules of the catalog add to validating a transcript: the ratio of the times with and without them, and the longest slice."""

from __future__ import annotations

import argparse
import gc
import time

from inspector.checks.background_validator import BackgroundValidator
from inspector.checks.catalog import CHECKED_RULES
from inspector.checks.message_validator import MESSAGE_RULES
from inspector.spec.revision import V2025_11_25
from inspector.transcript.transcript import Transcript
from tests.bench.child import telling, traffic

WARM_UP_SLICES = 5


def _seconds(frames: int, *, has_catalog: bool) -> tuple[float, float]:
    """How long validating so many frames takes, and its longest slice, in seconds."""
    transcript = Transcript()
    traffic.fill(transcript, frames)
    catalog = CHECKED_RULES if has_catalog else ()
    sweep = BackgroundValidator(transcript, V2025_11_25, MESSAGE_RULES, catalog)
    for _ in range(WARM_UP_SLICES):  # the validators are built when first used
        sweep.validate_slice()
    gc.collect()
    gc.freeze()
    slices: list[float] = []
    began = time.thread_time()
    while sweep.pending:
        sliced = time.thread_time()
        sweep.validate_slice()
        slices.append(time.thread_time() - sliced)
    return time.thread_time() - began, max(slices)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--frames", type=int, default=100_000)
    frames = parser.parse_args().frames
    without, _ = _seconds(frames, has_catalog=False)
    whole, longest = _seconds(frames, has_catalog=True)
    telling.report({"ratio": whole / without, "slice_ms": longest * 1000, "seconds": whole})


if __name__ == "__main__":
    main()
