"""The prompts of a server: their list, and those that were got in this session.

Values of arguments are texts and leave exactly as they were typed (C-PRM-05). One that is absent is not sent; an empty one is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.session.history import History
from inspector.session.operation import Operation, OperationState
from inspector.session.paginated_list import ListSpec, PaginatedList
from inspector.session.request_preview import preview_headers
from inspector.spec.views.prompt import PromptResult, PromptsPage, PromptView, prompt_clashes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inspector.finding import Finding
    from inspector.session.session import Session
    from inspector.session.timeouts import Timeouts
    from inspector.spec.mirrored_headers import MirroredHeaders
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json, JsonObject

METHOD = "prompts/get"

LIST_CHANGED = "notifications/prompts/list_changed"


def _read(
    result: Json, revision: Revision | None
) -> tuple[Sequence[PromptView], Sequence[Finding]]:
    page = PromptsPage(result, revision=revision)
    return page.listed, page.notes


def _name_of(prompt: PromptView) -> str:
    return prompt.id_label


RULES = ListSpec[PromptView](
    "prompts/list",
    LIST_CHANGED,
    "prompts",
    _read,
    prompt_clashes,
    _name_of,
)


class PromptGet(Operation):
    """One getting of one prompt."""

    def __init__(
        self,
        session: Session,
        prompt: PromptView,
        arguments: Mapping[str, str],
        timeouts: Timeouts | None = None,
        *,
        meta: JsonObject | None = None,
    ) -> None:
        """Prepare to get `prompt`; without any arguments, the member is left out."""
        params = _params(prompt, arguments)
        super().__init__(session, METHOD, params, timeouts=timeouts, meta=meta, parts=("messages",))
        self.prompt = prompt
        self.arguments = dict(arguments)

    @property
    def prompt_result(self) -> PromptResult | None:
        """What was got; none while or where there is nothing."""
        if self.state is not OperationState.DONE:
            return None
        return PromptResult(self.result, revision=self.revision)


class Prompts(PaginatedList[PromptView]):
    """What can be got, and what was."""

    def __init__(self, session: Session) -> None:
        """Offer the prompts of `session`; nothing is read before `refresh`."""
        super().__init__(session, RULES)
        self.history: History[PromptGet] = History()

    def get(
        self,
        prompt: PromptView,
        arguments: Mapping[str, str],
        *,
        timeouts: Timeouts | None = None,
        meta: JsonObject | None = None,
    ) -> PromptGet:
        """Begin to get `prompt` with `arguments`; `meta` are members of `_meta` that win over those every request carries."""
        made = PromptGet(self._session, prompt, arguments, timeouts, meta=meta)
        return self.history.start(made)

    def headers_of(self, prompt: PromptView, meta: JsonObject | None = None) -> MirroredHeaders:
        """The headers that getting `prompt` would repeat; none where nothing is repeated."""
        return preview_headers(self._session, METHOD, _params(prompt, {}), meta)


def _params(prompt: PromptView, arguments: Mapping[str, str]) -> JsonObject:
    params: JsonObject = {"name": prompt.exact_id} if prompt.has("name") else {}
    if arguments:
        params["arguments"] = dict(arguments)
    return params
