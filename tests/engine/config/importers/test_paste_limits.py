"""How long reading a pasted text takes, and how much of it is taken; ours."""

from __future__ import annotations

import json
import time

import pytest

from inspector.config.importers.paste import Imported, NotRecognized, import_text

LONG = 40_000


@pytest.mark.parametrize(
    "text",
    [
        f"x{chr(10) * LONG}y",
        "text\n" + "{\n" * LONG,
        f"[a]\n{'a.' * (LONG // 4)}=1",
        f"[a]\n{'a.' * (2 * LONG)}a=1",
        f"[a]\nx={{{'a.' * LONG}a=1}}",
        f"[a{'.a' * LONG}]",
        f"[a]\n{'a' * LONG}=1",
        json.dumps({"command": "x", "args": ["${A}" * LONG]}),
        json.dumps({"command": "x", "args": ["<A>" * LONG]}),
        json.dumps({"command": "x", "env": {"A": f"your_{'a_' * LONG}"}}),
        json.dumps({"command": "x", "env": {"A": f"{'x' * LONG}y"}}),
        json.dumps({"command": "x", "env": {"A": f"{'.' * LONG}y"}}),
        "A=b " * (LONG // 4),
        f"x https://x/?{'a&' * (LONG // 2)}",
        f"C:\\{' a' * (LONG // 2)}",
        "{" + r"]\"" * LONG + "\\",
        "```\n" + "\t" * LONG + "x",
        "https://x/mcp?a=b&" * LONG,
        f"vscode:mcp/install?{')' * LONG * 4}",
    ],
    ids=lambda text: text[:24],
)
def test_the_time_to_read_a_text_does_not_grow_with_the_square_of_its_length(text: str) -> None:
    """Ours: what took seconds or minutes takes a fraction of one."""
    before = time.thread_time()

    import_text(text)

    assert time.thread_time() - before < 2


@pytest.mark.parametrize(
    "line",
    [
        f"# {'.' * 100}",
        f"# {'a.' * 100}",
        f'env = {{ A = "{"a." * 100}" }}',
        f"env = {{ A = '{'a.' * 100}' }}",
        f'env.A = """\n"{"a." * 100}\\""""',
        f"env.A = '''\n{'a.' * 100}'''",
        f"env.A = [{', '.join(['1.5'] * 100)}]",
    ],
)
def test_dots_that_are_no_key_are_no_reason_to_refuse_toml(line: str) -> None:
    """Ours: a key of more parts than any configuration has is refused."""
    reading = import_text(f'[mcp_servers.x]\ncommand = "y"\n{line}\n')

    assert isinstance(reading, Imported)
    assert reading.profiles[0].command == "y"


def test_links_inside_one_another_are_followed_a_few_levels_deep() -> None:
    """Ours: a thousand of them are no link of any client, and no error either."""
    link = "https://vscode.dev/redirect?url="

    assert isinstance(
        import_text(link * 2 + "vscode:mcp/install?%7B%22command%22%3A%22x%22%7D"), Imported
    )
    assert isinstance(import_text(link * 10_000), NotRecognized)


@pytest.mark.parametrize(
    "value", ["your_own_api_key", "YOUR-NEW-TOKEN", "<your token here>", "xxxx", "sk-XXXXX", "****"]
)
def test_instructions_in_the_place_of_a_value_are_told(value: str) -> None:
    """Ours."""
    reading = import_text(json.dumps({"command": "x", "env": {"A": value}}))

    assert isinstance(reading, Imported)
    assert any("is a placeholder" in warning for warning in reading.warnings)


@pytest.mark.parametrize(
    "text",
    [
        f"x {'a ' * 501}",
        json.dumps({"command": "x", "env": {f"A{n}": "b" for n in range(501)}}),
        json.dumps({"mcpServers": {f"s{n}": {"command": "x"} for n in range(501)}}),
    ],
    ids=["arguments", "variables", "servers"],
)
def test_more_values_than_a_form_can_hold_are_refused_in_words(text: str) -> None:
    """Ours: each has a field of its own, and thousands of fields keep the window from its turn."""
    reading = import_text(text)

    assert isinstance(reading, NotRecognized)
    assert "500" in reading.reason
