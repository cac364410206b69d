"""The prompts of a server: their list, and the requests for them in this session.

Values of arguments are strings and are sent exactly as typed (C-PRM-05). An absent argument is not sent; an empty one is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from inspector.session.operation import Operation, OperationHistory
from inspector.session.outgoing import preview_headers
from inspector.session.paginated_list import ListSpec, PaginatedList
from inspector.spec.views.prompt import PromptResult, PromptsPage, PromptView

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inspector.session.outgoing import Timeouts
    from inspector.session.session import Session
    from inspector.spec.mirrored_headers import MirroredHeaders
    from inspector.wire.json_codec import JsonObject

METHOD = "prompts/get"

LIST_CHANGED = "notifications/prompts/list_changed"

RULES = ListSpec[PromptView]("prompts/list", LIST_CHANGED, "prompts", PromptsPage)


class PromptGet(Operation):
    """One request for one prompt."""

    LARGE_MEMBERS: ClassVar[tuple[str, ...]] = ("messages",)

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
        super().__init__(session, METHOD, params, timeouts=timeouts, meta=meta)
        self.prompt = prompt
        self.arguments = dict(arguments)

    @property
    def result(self) -> PromptResult | None:
        """The result; None without one."""
        return self._view(PromptResult)


class Prompts(PaginatedList[PromptView]):
    """The list of prompts and the history of requests for them."""

    def __init__(self, session: Session) -> None:
        """List the prompts of `session`; nothing is read before `refresh`."""
        super().__init__(session, RULES)
        self.history: OperationHistory[PromptGet] = OperationHistory()

    def get(
        self,
        prompt: PromptView,
        arguments: Mapping[str, str],
        *,
        timeouts: Timeouts | None = None,
        meta: JsonObject | None = None,
    ) -> PromptGet:
        """Start to get `prompt` with `arguments`; `meta` are members of `_meta` that win over those of every request."""
        get = PromptGet(self._session, prompt, arguments, timeouts, meta=meta)
        return self.history.start(get)

    def headers_of(self, prompt: PromptView, meta: JsonObject | None = None) -> MirroredHeaders:
        """Return the headers that repeat parts of a request for `prompt`."""
        return preview_headers(self._session, METHOD, _params(prompt, {}), meta)


def _params(prompt: PromptView, arguments: Mapping[str, str]) -> JsonObject:
    params: JsonObject = {"name": prompt.exact_id} if prompt.has("name") else {}
    if arguments:
        params["arguments"] = dict(arguments)
    return params
