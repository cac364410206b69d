"""The params of `sampling/createMessage`.

Source: client/sampling.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from inspector.finding import Finding, Severity
from inspector.spec.json_types import type_text
from inspector.spec.keys import META
from inspector.spec.view import View
from inspector.spec.views.content import ROLES, ContentView, ToolResult, ToolUse, one_or_many

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json

PRIORITIES = ("costPriority", "speedPriority", "intelligencePriority")
"""What may matter more or less in the choice of a model, each from 0 to 1."""

CONTEXTS = ("none", "thisServer", "allServers")
"""What `includeContext` may say."""

CHOICES = ("auto", "required", "none")
"""What `toolChoice.mode` may say."""

STOP_REASONS = ("endTurn", "maxTokens", "stopSequence", "toolUse")
"""What `stopReason` of an answer says in most cases; it may say anything."""


class SamplingPart(View):
    """What belongs to a request for a model's answer."""

    SUBJECT: ClassVar[str] = "sampling"
    RULE: ClassVar[str] = "L-SMP-01"


class SamplingMessage(SamplingPart):
    """One message; its content is a block or, in revisions with tools, an array of blocks."""

    NOUN: ClassVar[str] = "a message"

    def _read_members(self) -> None:
        self.role = self.text("role", required=True)
        self.meta = self.members(META)
        content = self.value("content")
        self.blocks: tuple[ContentView, ...] = ()
        if self.has("content"):
            self.blocks = one_or_many(content, self.pointer_to("content"), self.revision)
        elif self.is_object:
            self.add_finding("`content` is missing", "content")
        for block in self.blocks:
            self.include_findings_of(block)
        self._check(content)

    def _check(self, content: Json) -> None:
        if self.role and self.role not in ROLES:
            self.add_finding(f"`role` must be user or assistant, not {self.role!r}", "role")
        has_lists = self.revision is None or self.revision.has_sampling_tools
        if isinstance(content, list) and not has_lists:
            text = f"arrays of content blocks are not part of {self.revision}"
            self.add_finding(text, "content", rule="L-SMP-08")


class ModelPreferences(SamplingPart):
    """Which model the server prefers: hints in order of preference, and priorities. The client decides."""

    RULE: ClassVar[str] = "L-SMP-06"
    NOUN: ClassVar[str] = "model preferences"

    def _read_members(self) -> None:
        self.hints: list[str] = []
        for number, hint in enumerate(self.items("hints")):
            name = hint.get("name") if isinstance(hint, dict) else None
            if isinstance(name, str):
                self.hints.append(name)
            else:
                self.add_finding("a hint must have a `name`", "hints", number)
        self.priorities = {key: self.number(key) for key in PRIORITIES if self.has(key)}
        for key, value in self.priorities.items():
            if value is not None and not 0 <= value <= 1:
                self.add_finding(f"`{key}` must be between 0 and 1, not {value}", key)


class SamplingView(SamplingPart):
    """The params of `sampling/createMessage`; what no revision defines stays in `unknown`."""

    NOUN: ClassVar[str] = "the params of sampling/createMessage"
    POINTER: ClassVar[str] = "/params"

    def _read_members(self) -> None:
        self.messages = self.views("messages", SamplingMessage, required=True)
        for message in self.messages:
            self.include_findings_of(message)
        self.max_tokens = self.number("maxTokens", required=True)
        self.system_prompt = self.text("systemPrompt")
        self.preferences = ModelPreferences(
            self.value("modelPreferences") if self.has("modelPreferences") else {},
            self.pointer_to("modelPreferences"),
            self.revision,
        )
        self.include_findings_of(self.preferences)
        self.include_context = self.text("includeContext")
        self.temperature = self.number("temperature")
        self.stop_sequences = self.texts("stopSequences")
        self.has_metadata = self.has("metadata")
        self.metadata = self.value("metadata")
        self.meta = self.members(META)
        self._read_tools()
        self._check()

    @property
    def opening(self) -> str:
        """The first text of the user, for a title; else the first text of any role."""
        bodies = [
            (message.role == "user", body)
            for message in self.messages
            for block in message.blocks
            if (body := getattr(block, "body", "").strip())
        ]
        by_user = (body for is_user, body in bodies if is_user)
        return next(by_user, bodies[0][1] if bodies else "")

    @property
    def wants_tools(self) -> bool:
        """Whether it names tools, or how they are to be chosen."""
        return "tools" in self._members or "toolChoice" in self._members

    @property
    def tool_problem(self) -> str:
        """Why the tool calls and results in the messages do not match; an empty string if they do."""
        for rule, text, _pointer in _unbalanced(self.messages):
            return text if rule else ""
        return ""

    def _read_tools(self) -> None:
        """Tools stay raw where the revision does not know them, and count as unknown there."""
        self.tools: list[Json] = []
        self.tool_choice = ""
        self.task: Json = None
        if self.revision is not None and not self.revision.has_sampling_tools:
            if self.wants_tools:
                text = f"sampling with tools is not part of {self.revision}"
                self.add_finding(text, "tools", rule="L-SMP-08")
            return
        self.tools = self.items("tools")
        choice = self.members("toolChoice")
        mode = choice.get("mode", "auto") if self.has("toolChoice") else ""
        self.tool_choice = mode if isinstance(mode, str) else type_text(mode)
        if self.tool_choice and self.tool_choice not in CHOICES:
            text = f"`mode` must be one of {', '.join(CHOICES)}, not {self.tool_choice!r}"
            self.add_finding(text, "toolChoice", "mode", rule="L-SMP-06")
        self.task = self.value("task")

    def _check(self) -> None:
        if self.include_context and self.include_context not in CONTEXTS:
            text = f"`includeContext` must be one of {', '.join(CONTEXTS)}, not {self.include_context!r}"
            self.add_finding(text, "includeContext")
        for rule, text, pointer in _unbalanced(self.messages):
            self.notes.append(Finding(rule, Severity.ERROR, text, pointer))


def _unbalanced(messages: Sequence[SamplingMessage]) -> list[tuple[str, str, str]]:
    """Return rule, text and pointer of each tool call without its result, and of results that share a message."""
    found: list[tuple[str, str, str]] = []
    for at, message in enumerate(messages):
        results = [block for block in message.blocks if isinstance(block, ToolResult)]
        if results and len(results) < len(message.blocks):
            text = "a message with tool results must not contain other content"
            found.append(("L-SMP-04", text, message.pointer_to("content")))
        called = [block.id for block in message.blocks if isinstance(block, ToolUse)]
        answers = messages[at + 1].blocks if at + 1 < len(messages) else ()
        given = [block.tool_use_id for block in answers if isinstance(block, ToolResult)]
        missing = [one for one in called if given.count(one) != 1]
        if missing:
            text = f"tool call {missing[0]!r} must have exactly one result in the next message"
            found.append(("L-SMP-05", text, message.pointer_to("content")))
    return found


def result_problems(answer: Json, revision: Revision | None) -> list[str]:
    """Return what is wrong with a result of the client; the user may send it nevertheless."""
    if not isinstance(answer, dict):
        return [f"a sampling result must be an object, not {type_text(answer)}"]
    found = [f"`{key}` is missing" for key in ("role", "content", "model") if key not in answer]
    role, model, content = answer.get("role"), answer.get("model"), answer.get("content")
    if "role" in answer and role != "assistant":
        found.append("`role` of a result should be assistant")
    if "model" in answer and not (isinstance(model, str) and model):
        found.append("`model` must name the model")
    has_lists = revision is None or revision.has_sampling_tools
    if isinstance(content, list) and not has_lists:
        found.append(f"arrays of content blocks are not part of {revision}")
    if "content" in answer:
        blocks = one_or_many(content, "/content", revision)
        found += [note.summary for block in blocks for note in block.notes]
    return found
