"""What clients and model APIs refuse, cut or change, each with where it is known from and since when.

Limits move, so every finding names the month. None of it is a part of the protocol.
"""

from __future__ import annotations

from datetime import date
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from inspector.finding import Severity

if TYPE_CHECKING:
    from collections.abc import Iterable

    from inspector.json_value import Json


class Limit(Enum):
    """What a client is strict about."""

    ROOT_COMBINATOR = "`oneOf`, `anyOf` or `allOf` at the root of an input schema"
    PROPERTY_KEY = "names of parameters outside of `[a-zA-Z0-9_.-]{1,64}`"
    ITEMS_MISSING = "arrays without `items`"
    TUPLE_ITEMS = "a list as `items`"
    PROPERTIES_MISSING = "objects without `properties`"
    REQUIRED_NULL = "`required: null`"
    OPENAPI = "keywords of OpenAPI"
    NAME_LENGTH = "long names of tools"
    NAME_CHARACTERS = "unusual characters in names of tools"
    DESCRIPTION_LENGTH = "long descriptions"
    INSTRUCTIONS_LENGTH = "long instructions"
    TOOL_COUNT = "many tools"
    RESULT_SIZE = "large results"
    OPENAI_STRICT = "schemas outside of the strict mode of OpenAI"
    ANTHROPIC_STRICT = "schemas outside of the strict mode of Anthropic"


class ClientLimit(NamedTuple):
    """One thing that one client is strict about."""

    client: str
    limit: Limit
    effect: str
    """What it does then, e.g. `refuses the request`."""
    source: str
    checked: date
    amount: int = 0
    """From which size on; 0 where it is no size."""

    @property
    def is_refused(self) -> bool:
        """Whether the client cannot use the tool, or the server, then; otherwise it cuts or changes something."""
        return self.effect.split()[0] in _REFUSALS


_REFUSALS = frozenset(["refuses", "drops", "fails", "leaves"])

OPENAI_STRICT, ANTHROPIC_STRICT = "OpenAI strict mode", "Anthropic strict mode"
"""Chosen by few clients, so their limits count only for servers that are for them."""

ANTHROPIC, CLAUDE_CODE, OPENAI = "Anthropic API", "Claude Code", "OpenAI API"
VS_CODE, CURSOR, COPILOT_CLI, CODEX = "VS Code", "Cursor", "Copilot CLI", "Codex"
GEMINI_CLI, OPENCODE, WINDSURF, ZED = "Gemini CLI", "opencode", "Windsurf", "Zed"

_MODES = {OPENAI_STRICT: OPENAI, ANTHROPIC_STRICT: ANTHROPIC}
"""The clients of which these are modes: their other limits hold as well."""

CLIENT_LIMITS: tuple[ClientLimit, ...] = (
    ClientLimit(ANTHROPIC, Limit.ROOT_COMBINATOR, "refuses the request", "makenotion/notion-mcp-server#341", date(2026, 8, 5)),
    ClientLimit(CLAUDE_CODE, Limit.ROOT_COMBINATOR, "drops the tool", "anthropics/claude-code#95504", date(2026, 9, 19)),
    ClientLimit(VS_CODE, Limit.ROOT_COMBINATOR, "removes the keyword", "microsoft/vscode toolSchemaNormalizer.ts", date(2026, 11, 28)),
    ClientLimit(ANTHROPIC, Limit.PROPERTY_KEY, "refuses the request", "freee/freee-mcp#15", date(2025, 7, 12)),
    ClientLimit(OPENAI, Limit.ITEMS_MISSING, "refuses the request", "spacectl#402", date(2026, 3, 18)),
    ClientLimit(VS_CODE, Limit.ITEMS_MISSING, "fails the request", "microsoft/vscode-copilot-release#7891", date(2025, 4, 15)),
    ClientLimit(WINDSURF, Limit.ITEMS_MISSING, "refuses the tool", "cocos-mcp-server#14", date(2026, 3, 17)),
    ClientLimit(VS_CODE, Limit.TUPLE_ITEMS, "changes it to `anyOf`", "microsoft/vscode toolSchemaNormalizer.ts", date(2026, 11, 28)),
    ClientLimit(OPENAI, Limit.PROPERTIES_MISSING, "refuses the request", "mark3labs/mcphost#88", date(2025, 6, 26)),
    ClientLimit(COPILOT_CLI, Limit.PROPERTIES_MISSING, "fails every prompt", "github/copilot-cli#1825", date(2026, 3, 4)),
    ClientLimit(CLAUDE_CODE, Limit.REQUIRED_NULL, "drops all tools", "anthropics/claude-code#88049", date(2026, 8, 19)),
    ClientLimit(WINDSURF, Limit.OPENAPI, "refuses the tool", "pdf-reader-mcp#107", date(2025, 7, 11)),
    ClientLimit(VS_CODE, Limit.NAME_LENGTH, "refuses the request", "microsoft/vscode McpToolName", date(2026, 11, 28), 46),
    ClientLimit(CURSOR, Limit.NAME_LENGTH, "leaves the tool out", "composio#2788", date(2026, 2, 27), 60),
    ClientLimit(OPENAI, Limit.NAME_LENGTH, "refuses the request", "5ire#403", date(2026, 1, 17), 64),
    ClientLimit(GEMINI_CLI, Limit.NAME_LENGTH, "shortens the name", "google-gemini/gemini-cli source", date(2026, 11, 28), 63),
    ClientLimit(ZED, Limit.NAME_LENGTH, "shortens the name", "zed-industries/zed source", date(2026, 1, 18), 64),
    ClientLimit(COPILOT_CLI, Limit.NAME_CHARACTERS, "fails every prompt", "github/copilot-cli#1879", date(2026, 3, 6)),
    ClientLimit(OPENAI, Limit.NAME_CHARACTERS, "refuses the request", "5ire#403", date(2026, 1, 17)),
    ClientLimit(OPENAI, Limit.DESCRIPTION_LENGTH, "refuses the request", "openapi-mcp-server#23", date(2025, 4, 8), 1024),
    ClientLimit(CLAUDE_CODE, Limit.DESCRIPTION_LENGTH, "cuts it", "anthropics/claude-code#41593", date(2026, 3, 31), 2048),
    ClientLimit(CLAUDE_CODE, Limit.INSTRUCTIONS_LENGTH, "cuts them", "anthropics/claude-code#41593", date(2026, 3, 31), 2048),
    ClientLimit(CURSOR, Limit.TOOL_COUNT, "leaves tools out", "awslabs/mcp#1283", date(2025, 9, 15), 80),
    ClientLimit(OPENAI, Limit.TOOL_COUNT, "refuses the request", "microsoft/vscode-copilot-release#9375", date(2025, 5, 10), 128),
    ClientLimit(VS_CODE, Limit.TOOL_COUNT, "groups tools", "microsoft/vscode", date(2026, 11, 28), 128),
    ClientLimit(CODEX, Limit.RESULT_SIZE, "cuts the text", "openai/codex#7906", date(2025, 12, 12), 10_240),
    ClientLimit(OPENCODE, Limit.RESULT_SIZE, "cuts the text", "opencode#22565", date(2026, 4, 15), 51_200),
    ClientLimit(OPENAI_STRICT, Limit.OPENAI_STRICT, "refuses the request", "docker/docker-agent#4106, posit-dev/chatlas#255", date(2026, 9, 1)),
    ClientLimit(ANTHROPIC_STRICT, Limit.ANTHROPIC_STRICT, "refuses the request", "Anthropic documentation, “Structured outputs”", date(2026, 8, 1)),
    ClientLimit(CLAUDE_CODE, Limit.RESULT_SIZE, "writes the text to a file", "anthropics/claude-code documentation", date(2026, 10, 5), 50_000),
)  # fmt: skip
"""The rows, by limit."""


CLIENTS = tuple(sorted({row.client for row in CLIENT_LIMITS}))
"""Every client in it, by name."""

CLIENT_RULES = frozenset(
    [f"L-MDL-{number:02}" for number in (*range(2, 9), *range(10, 14), 16, 17, 19, 20)]
)
"""The rules about limits of clients: what they find depends on the target clients."""

Targets: TypeAlias = "frozenset[str]"
"""The clients that a server is for, by the names of `CLIENTS`; empty for all of them."""

_BY_LIMIT = {limit: tuple(each for each in CLIENT_LIMITS if each.limit is limit) for limit in Limit}
_LOWEST = {limit: min(each.amount for each in rows) for limit, rows in _BY_LIMIT.items()}
"""The size below which no client minds."""


def limits(of: Limit, size: int = 0, targets: Targets = frozenset()) -> tuple[ClientLimit, ...]:
    """Return the clients that are strict about it, at a size of `size` or more, of the targets and the clients of which they are modes."""
    if size < _LOWEST[of]:
        return ()  # as nearly always, and every listed tool asks
    rows = (each for each in _BY_LIMIT[of] if each.amount <= size)
    clients = targets | {_MODES[each] for each in targets & _MODES.keys()}
    return tuple(each for each in rows if not targets or each.client in clients)


def severity_for(
    rows: tuple[ClientLimit, ...], targets: Targets, otherwise: Severity | None
) -> Severity | None:
    """Return how much it matters: for a target an error where it refuses, a warning where it cuts or changes; without targets `otherwise`."""
    if not targets:
        return otherwise
    return Severity.ERROR if any(row.is_refused for row in rows) else Severity.WARNING


def effects(rows: Iterable[ClientLimit]) -> str:
    """Return what the clients do, each with the month of its source, e.g. `OpenAI API refuses the request (2026-03)`."""
    return ", ".join(f"{row.client} {row.effect} ({row.checked:%Y-%m})" for row in rows)


def find_client(name: str) -> str:
    """Return the client of that name, however it is spelled: `vscode`, `VS Code`, `vs-code`; empty for none."""
    return next((each for each in CLIENTS if _plain(each) == _plain(name)), "")


def read_targets(value: Json) -> Targets:
    """Return the clients in a saved value, an array of names; those that are not known are left out."""
    names = value if isinstance(value, list) else []
    return frozenset(find_client(each) for each in names if isinstance(each, str)) - {""}


def _plain(name: str) -> str:
    return "".join(each for each in name.lower() if each.isalnum())
