"""Judging a transcript with the official validators: frames a second, and the longest slice."""

from __future__ import annotations

import argparse
import time

from inspector.checks.background_validator import BackgroundValidator
from inspector.transcript.transcript import Transcript
from tests.bench.child import telling, traffic


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--frames", type=int, default=20_000)
    transcript = Transcript()
    traffic.fill(transcript, parser.parse_args().frames)
    sweep = BackgroundValidator(transcript)
    for _ in range(5):  # the validators are built when first used
        sweep.validate_slice()
    slices: list[float] = []
    began, before = time.perf_counter(), sweep.pending
    while sweep.pending:
        sliced = time.perf_counter()
        sweep.validate_slice()
        slices.append(time.perf_counter() - sliced)
    rate = before / (time.perf_counter() - began)
    telling.report({"judged": rate, "slice_ms": max(slices) * 1000})


if __name__ == "__main__":
    main()
