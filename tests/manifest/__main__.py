"""`python -m tests.manifest`: bring the tests of the rows up to date, and print how many rows are in which state.

Ends with 1 when something is wrong that a user has to put right.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from tests.manifest import proofs, rows, verdict

ROOT = Path(__file__).parents[2]


def main() -> int:
    """Refresh, count, judge."""
    found = proofs.find(ROOT)
    now = [verdict.refreshed(row, found) for row in rows.read(rows.FILE.read_text())]
    now.sort(key=lambda row: row.id)
    rows.FILE.write_text(rows.written(now))
    for state, count in Counter(map(verdict.state, now)).most_common():
        print(f"{count:5} {state}")
    wrong = [line for rule in verdict.RULES for line in rule(now, found)]
    print(*wrong, sep="\n", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
