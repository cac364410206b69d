"""Pasted texts: words, links and configuration put together at random, and one piece many times over."""

from __future__ import annotations

import asyncio
import json
import time
from typing import TYPE_CHECKING

from inspector.config.importers.paste import import_text

if TYPE_CHECKING:
    from random import Random

    from tests.fuzz.case import Case

AT_ONCE = 5_000
"""Characters that are read within one turn of the loop."""

MAX_SECONDS = 5.0
"""Work that a text of `LONG` characters may take."""

LONG = 40_000

PIECES = (
    *('"', "'", "`", "\\", "$", "${A}", "$(", "<A>", "<a ", "{{a}}", "%A%", "your_", "a_", "x"),
    *(
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        '"a":',
        '{"a":',
        '"command":"x",',
        '"url":"https://x/?token=a",',
    ),
    *(
        "\n",
        "\r\n",
        "\r",
        "\t",
        " ",
        "#",
        "# a\n",
        "- ",
        "- a: b\n",
        "a: b\n",
        "a: &a [*a]\n",
        "  ",
    ),
    *(
        "[a.b]\n",
        "a.b = 'c'\n",
        "[[a]]\n",
        "a.",
        "=",
        "//",
        "/*",
        "*/",
        "```\n",
        "~~~\n",
        "    a b\n",
    ),
    *(
        "npx -y a ",
        "A=b ",
        "--token=a ",
        "&&",
        "|",
        ";",
        ">",
        "<<E\n",
        "cd a && ",
        "export A=b && ",
    ),
    *("claude mcp add x -- y\n", "docker run -e A=b ", "curl -H 'A: b' ", "code --add-mcp '{}' "),
    *(
        "https://u:p@x/mcp?a=b&",
        "ws://x ",
        "a.",
        "localhost:1/",
        "A: b\n",
        "vscode:mcp/install?%7B",
    ),
    *("This is text, about a server. ", "“", "\0", "\ud800", "\ufeff", "\u202e", "😀", "é"),
    *(
        '{"mcpServers":{"a":{"command":"x","args":["your_key"],"env":{"A":"',
        '"}}}}',
        "C:\\a b.exe ",
    ),
)


async def run(case: Case) -> None:
    """Read a text at once, and a much longer one where it keeps no loop waiting."""
    import_text(_text(case.random, case.random.choice((50, 500, AT_ONCE))))
    await asyncio.sleep(0)
    text = _text(case.random, LONG)
    worked = await asyncio.to_thread(_seconds_of_work, text)
    assert worked < MAX_SECONDS, f"{worked:.1f} s for {text[:60]!r}"


def _seconds_of_work(text: str) -> float:
    before = time.thread_time()
    import_text(text)
    return time.thread_time() - before


def _text(random: Random, length: int) -> str:
    made = ""
    while len(made) < length:
        if random.random() < 0.3:
            piece = "".join(random.choices(PIECES, k=random.randint(1, 3)))
            made += piece * random.randint(1, 1 + length // len(piece))
        else:
            made += random.choice(PIECES)
        if random.random() < 0.05:
            made = json.dumps({"command": "x", "args": [made], "env": {"A": made}})
    return made[:length] if random.random() < 0.5 else made[: 2 * length]
