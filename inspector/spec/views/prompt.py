"""A prompt, a page of prompts, and what getting one gives.

Source: server/prompts, "Prompt", "PromptMessage", "Getting a Prompt".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from inspector.finding import Finding, Severity
from inspector.spec.findings import make_finding
from inspector.spec.keys import META, SERVER_CONTENT
from inspector.spec.view import View
from inspector.spec.views.content import ROLES, one_or_many
from inspector.spec.views.content import misplaced as misplaced_blocks
from inspector.spec.views.definition import Definition, find_repeated, icons
from inspector.spec.views.list_page import ListPage
from inspector.wire import json_codec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.background_tasks import Steps
    from inspector.wire.json_codec import Json


class ArgumentView(Definition):
    """One argument; its values are strings."""

    SUBJECT: ClassVar[str] = "prompts"
    RULE: ClassVar[str] = "L-PRM-01"
    NOUN: ClassVar[str] = "an argument"

    def _read_members(self) -> None:
        super()._read_members()
        self.required = self.flag("required")


class PromptView(Definition):
    """One prompt as listed."""

    SUBJECT: ClassVar[str] = "prompts"
    RULE: ClassVar[str] = "L-PRM-01"
    NOUN: ClassVar[str] = "a prompt"

    def _read_members(self) -> None:
        super()._read_members()
        self.arguments = self.views("arguments", ArgumentView)
        self.icons = icons(self)
        self.meta = self.members(META)
        for argument in self.arguments:
            self.include_findings_of(argument)
        self._check_names()
        self.check_hidden_text("name", "title", "description")

    @property
    def label(self) -> str:
        """The title or the name for display; never empty."""
        return self.title or self.id_label

    def _check_names(self) -> None:
        seen: set[str] = set()
        for number, argument in enumerate(self.arguments):
            if argument.has_id and argument.name in seen:
                text = f"duplicate argument name {argument.name!r}"
                self.add_finding(text, "arguments", number, "name")
            seen.add(argument.name)


class PromptsPage(ListPage[PromptView]):
    """The result of `prompts/list`."""

    SUBJECT: ClassVar[str] = "prompts"
    NOUN: ClassVar[str] = "the result of prompts/list"
    KEY: ClassVar[str] = "prompts"
    ITEM = PromptView

    @classmethod
    def find_duplicates(
        cls, items: Sequence[PromptView], limit: int | None = None
    ) -> Steps[dict[int, tuple[Finding, ...]]]:
        """Return findings for prompts, by position, whose name is not unique."""
        return (yield from find_repeated(items, _key, _duplicate, limit))


class PromptMessage(View):
    """One message of a prompt; several blocks in one are kept, with a finding."""

    SUBJECT: ClassVar[str] = "prompts"
    RULE: ClassVar[str] = "L-PRM-03"
    NOUN: ClassVar[str] = "a message"

    def _read_members(self) -> None:
        self.role = self.text("role", required=True)
        if self.role and self.role not in ROLES:
            self.add_finding(f"`role` must be user or assistant, not {self.role!r}", "role")
        content = self.value("content")
        self.content = (
            one_or_many(content, self.pointer_to("content"), self.revision)
            if self.has("content")
            else ()
        )
        if isinstance(content, list):
            text = "`content` must be a single block, not an array"
            self.add_finding(text, "content", severity=Severity.WARNING)
        elif not self.has("content") and self.is_object:
            self.add_finding("`content` is missing", "content")

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Everything odd about it."""
        own = tuple(note for block in self.content for note in block.notes)
        return (*self.notes, *own, *misplaced_blocks(self.content, SERVER_CONTENT))


class PromptResult(View):
    """What `prompts/get` gave."""

    SUBJECT: ClassVar[str] = "prompts"
    RULE: ClassVar[str] = "L-PRM-03"
    NOUN: ClassVar[str] = "the result of prompts/get"
    POINTER: ClassVar[str] = "/result"

    def _read_members(self) -> None:
        self.description = self.text("description")
        self.messages = self.views("messages", PromptMessage, required=True)
        self.meta = self.members(META)
        self.result_type = self.text("resultType")

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Everything odd about the result and its messages."""
        return (*self.notes, *(note for message in self.messages for note in message.findings))

    def as_text(self) -> str:
        """The conversation for the clipboard: roles, texts as they are, other blocks as JSON."""
        parts: list[str] = []
        for message in self.messages:
            blocks = [_block_text(block.raw) for block in message.content]
            parts.append("\n\n".join([f"{message.role or '(no role)'}:", *blocks]))
        return "\n\n".join(parts) + "\n"


def _block_text(block: Json) -> str:
    if isinstance(block, dict):
        text = block.get("text")
        if block.get("type") == "text" and isinstance(text, str):
            return text
        resource = block.get("resource")
        inner = resource.get("text") if isinstance(resource, dict) else None
        if isinstance(inner, str):
            return inner
    return json_codec.write(block, indent=2)


def _key(prompt: PromptView) -> str | None:
    return prompt.name if prompt.has_id else None


def _duplicate(prompt: PromptView, same: int) -> Finding:
    text = f"{same} prompts are named {prompt.name!r}; the server decides which one to return"
    return make_finding("L-PRM-01", text, prompt.pointer_to("name"), prompt.revision)
