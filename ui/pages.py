"""The pages: what the window knows of each before its module is imported. A page class has its row as `info`."""

from __future__ import annotations

from inspector.frozen import FrozenStruct

SERVER, CLIENT_SIDE, OPENED = "server", "client", "opened"
"""Groups of tabs: the features of the server, the side of the client with what concerns the connection, and pages that are opened and closed."""


class PageSpec(FrozenStruct, frozen=True):
    """One page, in its tab, the menu and the command palette."""

    key: str
    """A stable name, for saved layouts, commands and object names."""
    page_class: str
    """The `Page` of the row as `module:class`. It is imported when the page is made: all pages take longer to import than the window to appear."""
    title: str
    """The text of the tab."""
    icon_name: str
    """The icon of its empty state, as `Theme.icon` takes it."""
    shortcut: str = ""
    """Keys that go to the page, as `QKeySequence` takes them; Ctrl+0 is the normal size of text."""
    main_button: str = ""
    """Object name of the button that Ctrl+Enter clicks; empty for a page that sends nothing."""
    group: str = SERVER
    """Tabs of one group are together."""
    has_count: bool = False
    """Whether its tab has a count, for which there is space from the start."""
    has_state: bool = False
    """Whether its tab shows something else of the page: that a step failed, or why there is nothing to do."""
    counts_messages: bool = False
    """Whether that is a count of messages, which grows while the user looks."""
    has_tone: bool = False
    """Whether that count may have a color, for which there is also a sign."""
    works_offline: bool = False
    """Whether the page is shown without a session; then it is given the client profile (`set_client`)."""
    works_unconnected: bool = False
    """Whether the page is shown while a session connects, and after that failed."""
    works_with_recording: bool = False
    """Whether the page is shown for an opened recording."""

    @property
    def is_made_early(self) -> bool:
        """Whether the page is made before it is displayed: its tab shows what the page knows."""
        return self.has_count or self.has_state

    @property
    def is_closable(self) -> bool:
        """Whether its tab is there only after the page was opened, and closes."""
        return self.group == OPENED


OVERVIEW = PageSpec(
    "overview",
    "ui.features.overview.page:OverviewPage",
    "Overview",
    "mdi6.information-outline",
    "Ctrl+1",
)
TOOLS = PageSpec(
    "tools",
    "ui.features.tools.page:ToolsPage",
    "Tools",
    "mdi6.hammer-wrench",
    "Ctrl+2",
    main_button="call_button",
    has_count=True,
)
RESOURCES = PageSpec(
    "resources",
    "ui.features.resources.page:ResourcesPage",
    "Resources",
    "mdi6.file-tree-outline",
    "Ctrl+3",
    main_button="read_button",
    has_count=True,
)
PROMPTS = PageSpec(
    "prompts",
    "ui.features.prompts.page:PromptsPage",
    "Prompts",
    "mdi6.message-text-outline",
    "Ctrl+4",
    main_button="get_button",
    has_count=True,
)
TASKS = PageSpec(
    "tasks",
    "ui.features.tasks.page:TasksPage",
    "Tasks",
    "mdi6.progress-clock",
    "Ctrl+5",
    has_count=True,
)
LOGS = PageSpec(
    "logs",
    "ui.features.logs.page:LogsPage",
    "Logs",
    "mdi6.text-box-outline",
    "Ctrl+6",
    has_count=True,
    counts_messages=True,
)
ROOTS = PageSpec(
    "roots",
    "ui.features.roots.page:RootsPage",
    "Roots",
    "mdi6.folder-outline",
    "Ctrl+7",
    group=CLIENT_SIDE,
    has_count=True,
    works_offline=True,
)
CLIENT = PageSpec(
    "client",
    "ui.features.client.page:ClientPage",
    "Client",
    "mdi6.account-outline",
    "Ctrl+8",
    group=CLIENT_SIDE,
    works_offline=True,
)
AUTHORIZATION = PageSpec(
    "authorization",
    "ui.features.authorization.page:AuthorizationPage",
    "Authorization",
    "mdi6.shield-key-outline",
    "Ctrl+9",
    main_button="authorization_run",
    group=CLIENT_SIDE,
    has_state=True,
    works_unconnected=True,
)
RAW = PageSpec(
    "raw",
    "ui.features.repeat.raw_page:RawPage",
    "Raw",
    "mdi6.code-braces",
    "Ctrl+Shift+1",
    main_button="raw_send",
    group=CLIENT_SIDE,
)
REPORT = PageSpec(
    "report",
    "ui.features.report.page:ReportPage",
    "Report",
    "mdi6.clipboard-list-outline",
    "Ctrl+Shift+4",
    group=CLIENT_SIDE,
    has_count=True,
    has_tone=True,
)
REPEAT = PageSpec(
    "repeat",
    "ui.features.repeat.page:RepeatPage",
    "Repeat",
    "mdi6.repeat",
    "Ctrl+Shift+3",
    main_button="repeat_send",
    group=OPENED,
)
COMPARE = PageSpec(
    "compare",
    "ui.features.compare.page:ComparePage",
    "Compare",
    "mdi6.compare-horizontal",
    "Ctrl+Shift+2",
    group=OPENED,
    works_with_recording=True,
)

PAGES = (
    OVERVIEW,
    TOOLS,
    RESOURCES,
    PROMPTS,
    TASKS,
    LOGS,
    ROOTS,
    CLIENT,
    AUTHORIZATION,
    RAW,
    REPORT,
    REPEAT,
    COMPARE,
)
"""Every page, in the order of the tabs."""
