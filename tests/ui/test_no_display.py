"""Without a display the window cannot start, and says what can."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest


@pytest.mark.skipif(sys.platform != "linux", reason="other systems always have a display")
@pytest.mark.parametrize("platform", ["xcb", "no-such-platform"])
def test_without_a_display_the_command_line_is_named_and_nothing_crashes(platform: str) -> None:
    """Ours: Qt would abort the process, with a core dump and the advice to install the program again."""
    clean = {k: v for k, v in os.environ.items() if k not in {"DISPLAY", "WAYLAND_DISPLAY"}}
    done = subprocess.run(
        [sys.executable, "-m", "ui"],
        env={**clean, "QT_QPA_PLATFORM": platform},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )

    assert done.returncode == 1
    assert "no display" in done.stderr
    assert "spyglass-cli" in done.stderr
    assert "Reinstalling" not in done.stderr
