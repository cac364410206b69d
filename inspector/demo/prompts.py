"""Prompts: listed, and filled in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.demo import content
from inspector.demo.conformance import prompts as conformance
from inspector.demo.conversation import SUPPORTED
from inspector.demo.embedded_inputs import form
from inspector.demo.library import FILES
from inspector.demo.paging import page
from inspector.demo.prompt import Prompt, argument, says
from inspector.demo.request_errors import INVALID_PARAMS, RpcError
from inspector.demo.resources import GREETINGS
from inspector.demo.revision_filter import fitted_result
from inspector.demo.samples import texts
from inspector.demo.samples.icons import ICONS_OF_IMAGE
from inspector.demo.samples.image import png
from inspector.demo.samples.tone import wav

if TYPE_CHECKING:
    from inspector.demo.conversation import Conversation
    from inspector.wire.json_codec import Json, JsonObject


def listed(conversation: Conversation, params: JsonObject) -> JsonObject:
    """`prompts/list`."""
    entries = [prompt.entry(conversation.revision) for prompt in _prompts(conversation)]
    return page("prompts", entries, params, conversation.options)


def get(conversation: Conversation, params: JsonObject) -> JsonObject:
    """`prompts/get`."""
    name = params.get("name")
    prompt = next((each for each in _prompts(conversation) if each.name == name), None)
    if prompt is None:
        raise RpcError(INVALID_PARAMS, f"Unknown prompt: {name}")
    values = _values(prompt, params.get("arguments"))
    messages = prompt.fill({**values, **_answers(conversation, prompt)})
    return fitted_result(
        {"description": prompt.summary, "messages": messages}, conversation.revision
    )


def _prompts(conversation: Conversation) -> tuple[Prompt, ...]:
    first = conformance.PROMPTS if conversation.options.conformance else ()
    last = (EXTRA,) if "prompt" in conversation.extras else ()
    every = (*first, *PROMPTS, *last)
    return tuple(prompt for prompt in every if prompt.is_known(conversation.revision))


def _answers(conversation: Conversation, prompt: Prompt) -> dict[str, str]:
    """What the user answers to the questions of `prompt`, as JSON."""
    if not prompt.questions or conversation.inputs is None:
        return {}
    conversation.require("elicitation", "elicitation/create", part="form")
    answers = conversation.inputs.demand(prompt.questions)
    return {key: content.pretty(answer.get("content")) for key, answer in answers.items()}


def _values(prompt: Prompt, given: Json) -> dict[str, str]:
    """The arguments of `prompt`: strings, and those that are required are there."""
    values = given if isinstance(given, dict) else {}
    filled: dict[str, str] = {}
    for asked in prompt.arguments:
        name = str(asked["name"])
        value = values.get(name, "")
        if not isinstance(value, str):
            raise RpcError(INVALID_PARAMS, f"The argument {name} must be a string")
        if not value and asked.get("required") is True:
            raise RpcError(INVALID_PARAMS, f"The argument {name} is missing")
        filled[name] = value
    return filled


# Each fills one prompt.


def _greet(values: dict[str, str]) -> list[Json]:
    word = GREETINGS.get(values["language"], GREETINGS["english"])
    return [
        says("user", content.text(f"Greet {values['name']} with “{word}” and one kind sentence."))
    ]


def _review(values: dict[str, str]) -> list[Json]:
    language = values["language"] or "code"
    code = f"```{values['language']}\n{values['code']}\n```"
    return [
        says(
            "user", content.text(f"Review this {language}. Say what is wrong before what is good.")
        ),
        says("user", content.text(code)),
    ]


def _plan_trip(values: dict[str, str]) -> list[Json]:
    days = values["days"] or "3"
    return [
        says("user", content.text(f"I want to visit {values['city']} in {values['country']}.")),
        says("assistant", content.text("Gladly. How much time do you have?")),
        says("user", content.text(f"{days} days. Suggest a plan for each of them.")),
    ]


def _everything(values: dict[str, str]) -> list[Json]:
    del values
    readme = content.text_contents("demo://texts/markdown", "text/markdown", texts.MARKDOWN)
    blob = content.blob_contents(
        "demo://data/bytes.bin", "application/octet-stream", bytes(range(256))
    )
    return [
        says("user", content.text("Here is one of each.", {"audience": ["user"], "priority": 1})),
        says("user", content.image(png(160, 100), "image/png")),
        says("user", content.audio(wav(660, 0.3), "audio/wav")),
        says("user", content.embedded(readme)),
        says("user", content.embedded(blob)),
        says("user", content.link(FILES[0].entry(SUPPORTED[-1]))),
        says("assistant", content.text("I see an image, an audio clip, two resources and a link.")),
    ]


def _translate(values: dict[str, str]) -> list[Json]:
    return [
        says("user", content.text(f"Translate into {values['language']}:\n\n{texts.RIGHT_TO_LEFT}"))
    ]


def _introduce(values: dict[str, str]) -> list[Json]:
    text = f"Introduce the person of this form, in one sentence: {values['person']}"
    return [says("user", content.text(text))]


def _surprise(values: dict[str, str]) -> list[Json]:
    del values
    return [says("user", content.text("Say something surprising."))]


LANGUAGE = "The language; has completion"

PROMPTS = (
    Prompt(
        "greet",
        "Greet somebody",
        "One message with one required and one optional argument.",
        _greet,
        (
            argument("name", "Name", "Whom to greet", required=True),
            argument("language", "Language", LANGUAGE),
        ),
    ),
    Prompt(
        "review_code",
        "Review code",
        "Two messages; the code can be multi-line.",
        _review,
        (
            argument("code", "Code", "What to review", required=True),
            argument("language", "Programming language", LANGUAGE),
        ),
    ),
    Prompt(
        "plan_trip",
        "Plan a trip",
        "A conversation; city completions depend on the selected country.",
        _plan_trip,
        (
            argument("country", "Country", "Where to go; has completion", required=True),
            argument("city", "City", "Completed for the country above", required=True),
            argument("days", "Days", "How long to stay"),
        ),
    ),
    Prompt(
        "everything",
        "One of each",
        "Every content type a prompt can contain; no arguments.",
        _everything,
        icons=ICONS_OF_IMAGE,
    ),
    Prompt(
        "translate",
        "Translate",
        "Text that runs from right to left.",
        _translate,
        (argument("language", "Language", LANGUAGE, required=True),),
    ),
    Prompt(
        "introduce",
        "Introduce somebody",
        "Requests user input before it returns messages.",
        _introduce,
        questions={"person": form("Who is to be introduced?", "name", "Name")},
    ),
)
"""In the order of the list."""

EXTRA = Prompt("surprise", "A surprise", "Added by toggle_tool.", _surprise)
"""Listed on request."""
