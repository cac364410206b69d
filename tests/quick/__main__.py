"""`python -m tests.quick`: lint what differs from the main branch, and run the tests beside it and a core of all.

Ends with 1 when anything is wrong. It proves less than `make check`, which a commit needs.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.quick.chosen import CORE, MOST, beside

ROOT = Path(__file__).parents[2]
PROGRAMS = Path(sys.executable).parent
MAIN = ("main", "origin/main", "HEAD")
"""What may be there to compare with."""


def main() -> int:
    """Lint and test at the same time; tell of the tests first."""
    changed = _changed()
    sources = [name for name in changed if name.endswith(".py")]
    lints = [
        subprocess.Popen(each, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        for each in _lints(sources)
    ]
    tests = beside(changed, ROOT)
    if len(tests) > MOST:
        print(
            f"{len(tests)} files of tests name what has changed; not run: {' '.join(tests[MOST:])}"
        )
    chosen = dict.fromkeys([*tests[:MOST], *CORE])
    options = ("-q", "-n", "2", "--dist", "loadfile", "--no-loadscope-reorder")
    failed = subprocess.call([sys.executable, "-m", "pytest", *options, *chosen], cwd=ROOT) != 0
    for lint in lints:
        text, _ = lint.communicate()
        if lint.returncode:
            failed = True
            print(text.decode(errors="replace"))
    print(
        f"{len(sources)} changed Python files, {len(chosen)} files of tests: {'failed' if failed else 'fine so far'}"
    )
    return int(failed)


def _lints(sources: list[str]) -> list[list[str]]:
    if not sources:
        return []
    return [
        [str(PROGRAMS / "ruff"), "format", "--check", "--diff", *sources],
        [str(PROGRAMS / "ruff"), "check", *sources],
        [str(PROGRAMS / "pyright"), *sources],
        [str(PROGRAMS / "lint-imports")],
    ]


def _changed() -> list[str]:
    """Files that differ from where this branch left the main one, new ones among them, deleted ones not."""
    bases = (_git("merge-base", "HEAD", name) for name in MAIN)
    base = next((found[0] for found in bases if found), "HEAD")
    known = _git("diff", "--name-only", "--diff-filter=d", base)
    return sorted({*known, *_git("ls-files", "--others", "--exclude-standard")})


def _git(*text: str) -> list[str]:
    done = subprocess.run(["git", *text], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.splitlines() if done.returncode == 0 else []


if __name__ == "__main__":
    sys.exit(main())
