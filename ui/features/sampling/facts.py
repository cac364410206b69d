"""The parameters of a request for a model's answer, one fact each, in the words of the protocol. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.wire import json_codec
from ui.widgets.json_text import brief
from ui.widgets.key_values import KeyValue

if TYPE_CHECKING:
    from inspector.spec.views.sampling import SamplingView
    from inspector.wire.json_codec import Json


def parameters(view: SamplingView) -> list[KeyValue]:
    """Everything but the messages and the tools, unknown members marked."""
    facts = [*_limits(view), *_wishes(view)]
    if view.has_metadata:
        facts.append(
            KeyValue("metadata", brief(view.metadata), json_codec.write(view.metadata, indent=2))
        )
    if view.task is not None:
        tip = "Requested to run as a task"
        facts.append(KeyValue("task", brief(view.task), tip))
    if view.meta:
        facts.append(
            KeyValue("_meta", brief(dict(view.meta)), json_codec.write(dict(view.meta), indent=2))
        )
    for key, value in view.unknown.items():
        tip = f"Not defined in this revision.\n{json_codec.write(value, indent=2)}"
        facts.append(KeyValue(f"{key} (unknown)", brief(value), tip, tone="warning"))
    return facts


def _limits(view: SamplingView) -> list[KeyValue]:
    facts = [
        KeyValue(
            "maxTokens", _number(view.max_tokens) or "missing", "Maximum tokens in the response"
        )
    ]
    if view.temperature is not None:
        facts.append(KeyValue("temperature", _number(view.temperature)))
    if view.stop_sequences:
        facts.append(
            KeyValue("stopSequences", ", ".join(map(json_codec.write, view.stop_sequences)))
        )
    return facts


def _wishes(view: SamplingView) -> list[KeyValue]:
    wishes = view.preferences
    facts: list[KeyValue] = []
    if wishes.hints:
        tip = "Model name fragments in order of preference. Hints take precedence over priorities."
        facts.append(KeyValue("model hints", ", then ".join(wishes.hints), tip))
    facts += [
        KeyValue(key, _number(value) or "unusable") for key, value in wishes.priorities.items()
    ]
    for key, value in wishes.unknown.items():
        facts.append(KeyValue(f"modelPreferences.{key} (unknown)", brief(value), tone="warning"))
    if view.include_context:
        facts.append(
            KeyValue(
                "includeContext", view.include_context, "Requested context; Spyglass adds none"
            )
        )
    if view.tools or view.tool_choice:
        facts.append(KeyValue("toolChoice", view.tool_choice or "auto (default)"))
    return facts


def _number(value: Json) -> str:
    return "" if value is None else json_codec.write(value)
