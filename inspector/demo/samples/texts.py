"""Texts that are easy to show wrong."""

from __future__ import annotations

import json

PLAIN = "The quick brown fox jumps over the lazy dog."

LINES = """\
Whitespace is kept exactly:
\tone tab,
    four spaces,
trailing spaces here:\x20\x20\x20
an empty line,

and no newline at the end."""

MARKDOWN = """\
# Markdown, if you like

A server does not say whether its text is *Markdown*; many simply send it.

1. An ordered list,
2. with `code` in it.

> A quotation, followed by a table.

| revision | adds |
|---|---|
| first | tools, resources, prompts |
| second | audio, annotations |

```python
def greet(name: str) -> str:
    return f"Hello, {name}!"
```

- [x] Done
- [ ] To do

[A link](https://modelcontextprotocol.io) opens only when you say so.
"""

JSON = json.dumps(
    {
        "text": "looks like JSON, because it is",
        "numbers": [0, -1, 2.5, 6.02e23, 9007199254740993],
        "nothing": None,
        "yes": True,
        "nested": {"empty object": {}, "empty array": []},
    },
    indent=2,
)

RIGHT_TO_LEFT = """\
العربية تُكتب من اليمين إلى اليسار.
עברית נכתבת מימין לשמאל.
Mixed: the word שלום stands in the middle, then the number 123, then مرحبا (twice).
"""

EMOJI = """\
One character each: 🔭 🦜 ✅
A family in one: 👨‍👩‍👧‍👦   A flag: 🇪🇺   With a skin tone: 👋🏽   A keycap: 4️⃣
Outside the basic plane: 𝔘𝔫𝔦𝔠𝔬𝔡𝔢
Accents as they may come: é (one code point), é (two)
"""

EAST_ASIAN = """\
中文：望远镜让远处的东西近在眼前。
日本語：望遠鏡は遠くのものを近くに見せます。
한국어: 망원경은 멀리 있는 것을 가까이 보여 줍니다.
ไทย: กล้องส่องทางไกลทำให้สิ่งที่อยู่ไกลดูใกล้
"""

MARKUP = """\
<h1>This is not a heading</h1>
<script>alert("and this must not run")</script>
<img src="https://example.com/pixel.png"> &amp; &lt;b&gt;entities&lt;/b&gt;
"""

CONTROL = "A bell \x07, a backspace \x08, an escape \x1b[31mred\x1b[0m, a null \x00, a line separator \u2028 and an override \u202egnirts\u202c."

ONE_LINE = "no-space-to-break-at-" * 60 + "end"

SAMPLES: dict[str, str] = {
    "plain": PLAIN,
    "lines": LINES,
    "markdown": MARKDOWN,
    "json": JSON,
    "right_to_left": RIGHT_TO_LEFT,
    "emoji": EMOJI,
    "east_asian": EAST_ASIAN,
    "markup": MARKUP,
    "control_characters": CONTROL,
    "one_long_line": ONE_LINE,
    "empty": "",
}
"""By name."""

TITLES: dict[str, str] = {
    "plain": "Plain words",
    "lines": "Lines and spaces",
    "markdown": "Markdown",
    "json": "JSON",
    "right_to_left": "Right to left",
    "emoji": "Emoji and combined characters",
    "east_asian": "Chinese, Japanese, Korean, Thai",
    "markup": "HTML that must stay text",
    "control_characters": "Control characters",
    "one_long_line": "One long line",
    "empty": "Empty",
}
"""What people call them."""

SVG = """\
<svg xmlns="http://www.w3.org/2000/svg" width="120" height="80" viewBox="0 0 120 80">
  <rect width="120" height="80" rx="8" fill="#1f4f82"/>
  <circle cx="48" cy="36" r="20" fill="none" stroke="#fff" stroke-width="6"/>
  <path d="M63 51l18 18" stroke="#fff" stroke-width="8" stroke-linecap="round"/>
</svg>
"""

CSV = """\
city,country,people
Lisbon,Portugal,545796
Oslo,Norway,717710
"Washington, D.C.",United States,678972
"""

PYTHON = '''\
"""A small program."""


def fibonacci(count: int) -> list[int]:
    """Return the first `count` numbers."""
    numbers = [0, 1]
    while len(numbers) < count:
        numbers.append(numbers[-1] + numbers[-2])
    return numbers[:count]
'''


def long_text(paragraphs: int) -> str:
    """Numbered paragraphs of about 400 characters."""
    sentence = "The longer a text becomes, the more it matters how it is shown. "
    return "\n\n".join(f"Paragraph {number}. {sentence * 6}" for number in range(1, paragraphs + 1))
