"""The scenes, in the order in which they are drawn."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from inspector.auth.grant import Access, MemoryGrants
from inspector.auth.settings import Settings, Way
from inspector.auth.user_agent import browser_for
from inspector.authorizers import Authorizers
from inspector.config.profile import Profile
from inspector.demo.auth.faults import Fault
from inspector.finding import Finding, Severity
from tests.shots.glance_scenes import glance
from tests.shots.look import Look
from tests.shots.mixed_scenes import ended, mixed
from tests.shots.opened_pages import compare, raw, repeat
from tests.shots.problem_scenes import probes, problems, report
from tests.support.demo_server import demo
from ui.export.dialog import ExportDialog
from ui.shell.help_window import AboutDialog, HelpWindow
from ui.shell.open_link import OpenLink
from ui.shell.palette import open_palette
from ui.traffic.frame_details import Tab
from ui.traffic.operations.columns import position
from ui.traffic.operations.details import View

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from tests.shots.stage import Stage


async def empty(stage: Stage) -> None:
    """The first start."""
    await stage.take("01-first-start")


async def adding(stage: Stage) -> None:
    """A command line is pasted."""
    editor = stage.window.parts.servers.add(
        "API_TOKEN=s3cret uvx mcp-server-git --repository '/tmp/my repo'"
    )
    await stage.take("02-window-behind-the-editor")
    await stage.take("02-add-a-server", editor)
    editor.discard()


async def connected(stage: Stage) -> None:
    """The demo server, page by page."""
    await stage.connect_demo()
    await stage.take("10-overview")
    stage.window.go("tools")
    await stage.take("11-tools")
    await stage.call("weather", '{"city":"oslo"}')
    await stage.take("12-structured-result")
    await stage.call("show_everything")
    await stage.take("13-every-content-type")
    await stage.call("fail_as_result")
    await stage.take("14-tool-error")
    await stage.call("fail_as_error")
    await stage.take("15-protocol-error")
    stage.tools.choose([t.name for t in stage.session.tools.items].index("form_text"))
    await stage.take("16-form")
    stage.tools.choose([t.name for t in stage.session.tools.items].index("form_lists"))
    await stage.take("17-nested-form")
    await stage.call("countdown", '{"steps":10,"seconds":60}', wait=False)
    await stage.until(
        lambda: stage.session.tools.history.operations[-1].progress_count > 0, "progress"
    )
    await stage.take("18-progress")
    stage.tools.call_panel.cancel_button.click()


async def traffic(stage: Stage) -> None:
    """The traffic with a frame opened, filtered, and with wrong syntax."""
    transcript = stage.session.session.transcript
    stage.window.go("tools")
    stage.has_bottom = True
    stage.window.parts.traffic.select_frame(transcript.count - 1)
    await stage.take("20-frame")
    stage.window.parts.traffic.set_filter("method:tools/call status:error")
    await stage.take("21-filtered")
    stage.window.parts.traffic.set_filter("took:>soon")
    await stage.take("22-wrong-filter")
    stage.window.parts.traffic.set_filter("")
    stage.has_bottom = False
    stage.window.commands.view.open_palette()
    await stage.take("23-palette-behind")


async def frame_parts(stage: Stage) -> None:
    """One frame: a token and a text that are decoded under the tree."""
    await stage.connect_demo()
    token = "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhZGEiLCJleHAiOjE4MDAwMDAwMDB9.c2ln"
    packed = "R3LDvMOfZSBhdXMgT3NsbzogNyDCsEMK"
    await stage.call("echo", json.dumps({"message": token, "text": packed}))
    traffic = stage.window.parts.traffic
    transcript = stage.session.session.transcript
    requests = (n for n in range(transcript.count, 0, -1) if b"R3LDvMOf" in transcript.raw(n))
    traffic.select_frame(min(requests))
    stage.window.raise_dock("traffic")
    tree = traffic.detail.tree
    tree.reveal("/params/arguments/message")
    await stage.until(tree.decoded.isVisible, "the decoded token")
    await stage.take("24-frame-token", traffic)
    tree.reveal("/params/arguments/text")
    await stage.until(lambda: "Oslo" in tree.decoded.box.text(), "the decoded text")
    await stage.take("24-frame-text", traffic)
    traffic.detail.show_tab(Tab.HEX)
    await stage.take("24-frame-hex", traffic)
    wrong = Finding("wrong", Severity.ERROR, "Must be a number", "/params/arguments/message")
    odd = Finding("odd", Severity.WARNING, "Is not known", "/params/_meta")
    for finding in (wrong, odd):
        transcript.add_finding(traffic.detail.number(), finding)
    traffic.detail.refresh_if_changed()
    traffic.select_frame(traffic.detail.number(), pointer="/params/_meta")
    await stage.take("24-frame-underlined", traffic)
    traffic.detail.show_tab(Tab.RAW)
    await stage.until(
        lambda: len(traffic.detail.raw.edit.extraSelections()) == 2, "the waves in the text"
    )
    await stage.take("24-frame-underlined-raw", traffic)


async def export(stage: Stage) -> None:
    """The dialog that exports, with a secret, before secrets are included; a bug report."""
    await stage.connect_demo()
    await stage.call("weather", '{"city":"oslo"}')
    actions = stage.window.commands.actions
    actions["export"].trigger()
    dialog = stage.window.findChild(ExportDialog)
    assert dialog is not None
    await stage.until(lambda: bool(dialog.state.text()), "the preview")
    await stage.take("27-export", dialog)
    dialog.secrets.click()
    await stage.take("27-export-secrets", dialog)
    dialog.reject()
    stage.window.parts.traffic.select_frame(stage.session.session.transcript.count)
    actions.refresh()
    actions["bug_report"].trigger()
    report = stage.window.findChildren(ExportDialog)[-1]
    await stage.until(lambda: bool(report.state.text()), "the preview")
    await stage.take("27-bug-report", report)
    report.reject()
    path = stage.session.session.transcript.path
    assert path is not None
    stage.app.controller.open_record(path)
    await stage.until(lambda: stage.app.controller.recorded is not None, "the recording")
    stage.window.go("tools")
    await stage.take("28-recording-pages")
    stage.app.controller.leave_record()


async def timeline(stage: Stage) -> None:
    """The timeline: calls that succeed, fail and wait for the user; zoomed to one of them; one call alone."""
    await stage.connect_demo()
    page = stage.window.parts.timeline.page
    stage.window.raise_dock("timeline")
    stage.has_bottom = True
    await stage.take("24-timeline-start")
    await stage.call("weather", '{"city":"oslo"}')
    await stage.call("fail_as_result")
    await stage.call("countdown", '{"steps":12,"seconds":2}')
    await stage.call("ask_sampling", wait=False)
    await stage.until(lambda: bool(stage.app.workspace.inbox.pending), "the request")
    await stage.take("25-timeline-pending")
    stage.tools.call_panel.cancel_button.click()
    await stage.until(lambda: not stage.app.workspace.inbox.pending, "the end of the request")
    page.selection.select_beside(1)
    for _ in range(5):
        page.selection.select_beside(1)
    page.selection.zoom_to_selected()
    page.visible_time.zoom(3)
    await stage.take("26-timeline-selected")
    page.selection.clear()
    page.visible_time.show_whole()
    page.show_latency()
    await stage.take("27-latency")
    stage.has_bottom = False
    page.show_tracks()


async def operations(stage: Stage) -> None:
    """The traffic as operations: one whole, one unfolded, one followed."""
    await stage.connect_demo()
    await stage.call("countdown", '{"steps":4,"seconds":0.4}')
    await stage.call("fail_as_result")
    await stage.call("ask_sampling", wait=False)
    await stage.until(lambda: bool(stage.app.workspace.inbox.pending), "the request")
    panel = stage.window.parts.traffic
    stage.window.raise_dock("traffic")
    panel.modes.set_mode("operations")
    made = panel.modes.operations
    assert made is not None
    column, rows = position("operation"), range(made.model.rowCount())
    names = [str(made.model.index(row, column).data()) for row in rows]
    made.table.go_to_row(names.index("tools/call countdown"))
    stage.has_bottom = True
    await stage.take("24-operations")
    made.model.set_unfolded(names.index("tools/call countdown"), True)
    made.details.show_view(View.SEQUENCE)
    await stage.take("25-operation-unfolded")
    panel.modes.follow_operation()
    await stage.take("26-operation-followed")
    panel.table.selectRow(panel.model.rowCount() - 1)
    panel.detail.show_tab(Tab.TIMING)
    await stage.take("27-frame-timing")
    stage.has_bottom = False
    panel.set_filter("")


async def flood(stage: Stage) -> None:
    """Twenty thousand log messages."""
    await stage.call("fault_flood", '{"count":20000}')
    await stage.take("30-flood")


async def odd(stage: Stage) -> None:
    """Malformed and duplicate tools; noise on stdout."""
    await stage.connect_demo("--odd-tools", "--banner")
    stage.window.go("tools")
    await stage.take("31-odd-tools")
    await stage.call("show_text")
    await stage.take("32-texts")


async def failures(stage: Stage) -> None:
    """Connections that fail, each with its cause."""
    cases = {
        "40-not-on-path": Profile(name="missing", command="no-such-program-xyz"),
        "41-exits": Profile(
            name="exits",
            command=sys.executable,
            args=("-c", "import sys; sys.exit('Error: PORTAL_KEY is not set')"),
        ),
        "42-stray-output": Profile(
            name="not a server", command=sys.executable, args=("-c", "print('Usage: tool FILE')")
        ),
    }
    for name, profile in cases.items():
        await stage.connect(profile)
        await stage.until(lambda: stage.session.session.failure is not None, "the failure")
        await stage.take(name)


async def starting(stage: Stage) -> None:
    """A server that takes its time."""
    await stage.connect(
        Profile(
            name="slow", command=sys.executable, args=("-m", "inspector.demo", "--slow-start", "60")
        )
    )
    await stage.take("43-starting")


AUTHORIZATIONS = {
    "50-authorized": "",
    "51-resource-differs": Fault.RESOURCE_PATH,
    "52-issuer-differs": Fault.ISSUER_SLASH,
    "53-registration-forbidden": Fault.REGISTRATION_FORBIDDEN,
    "54-other-issuer-responds": Fault.ISS_WRONG,
    "55-token-error": Fault.TOKEN_ERROR_200,
    "56-token-for-another-audience": Fault.TOKEN_AUDIENCE,
}
"""Pictures of an authorization, and the fault of the server in each."""

SMALL_WINDOW = (1280, 720)


async def authorization(stage: Stage) -> None:
    """Logging in well, and failing at each kind of step."""
    grants = MemoryGrants()
    settings = Settings(way=Way.CODE)
    access = Access(settings, grants, browser_for(settings, opens_nothing))
    stage.app.workspace.authorizers = Authorizers(lambda _: access)
    for name, fault in AUTHORIZATIONS.items():
        switches = ("--auth-fault", fault) if fault else ()
        async with demo("--http", "0", "--auth", "--auth-consent", "auto", *switches) as url:
            await stage.connect(Profile(name=name, transport="http", url=url))
            await stage.until(lambda: not stage.app.controller.is_beginning, "the outcome")
            stage.window.go("authorization")
            await stage.take(name)
            if fault is Fault.ISSUER_SLASH:
                await stage.take_folded("97-stopped-authorization")
            if name in {"50-authorized", "52-issuer-differs"}:
                before = stage.window.size()
                stage.window.resize(*SMALL_WINDOW)
                await stage.take(f"{name}-small")
                stage.window.resize(before)
            if not fault:
                await show_token(stage)
            await stage.session.aclose()


async def show_token(stage: Stage) -> None:
    """The access token, with the traffic out of the way."""
    stage.window.toggle_dock("traffic")
    stage.authorization.content.tokens.table.selectRow(1)
    await stage.take("50-token")
    stage.authorization.content.tokens.table.clearSelection()
    stage.window.toggle_dock("traffic")


async def logging_in(stage: Stage) -> None:
    """A login that waits for the browser, and a request that is edited before it is sent."""
    settings = Settings(way=Way.CODE)
    access = Access(settings, MemoryGrants(), browser_for(settings, opens_nothing))
    authorizers = Authorizers(lambda _: access)
    authorizers.progressed = stage.app.workspace.authorizers.progressed  # the window follows it
    stage.app.workspace.authorizers = authorizers
    async with demo("--http", "0", "--auth") as url:
        await stage.connect(Profile(name="login", transport="http", url=url))
        stage.window.go("authorization")
        content = stage.authorization.content
        await stage.until(lambda: content.detail.browser.isVisible(), "the browser")
        await stage.take("57-waiting-for-browser")
        content.runner.stop()
        await stage.until(lambda: not content.runner.is_running, "the end")
        content.again_from(content.runner.steps[-1].number)
        await stage.until(lambda: content.detail.exchange.is_editing, "the field")
        text = content.detail.exchange.editor.toPlainText()
        content.detail.exchange.editor.setPlainText(text.replace("scope=mcp:read", "scope=admin"))
        await stage.take("58-edited-request")


async def opens_nothing(_url: str) -> None:
    """There is no browser."""


async def look(stage: Stage) -> None:
    """Every part of the design."""
    await stage.take_made("00-look", lambda: Look(stage.app.theme))


async def pages(stage: Stage) -> None:
    """Every page of the demo server."""
    await stage.connect_demo()
    for at, spec in enumerate(stage.window.parts.workbench.specs):
        stage.window.go(spec.key)
        await stage.until(stage.is_page_made, "the parts of the page")
        await stage.take(f"6{at}-{spec.key}")


async def dialogs(stage: Stage) -> None:
    """Every dialog."""
    theme, window = stage.app.theme, stage.window
    commands = window.commands.actions.commands
    await stage.take_made("70-help", lambda: HelpWindow(commands, theme=theme, parent=window))
    reporter = stage.app.reporter
    await stage.take_made(
        "71-about", lambda: AboutDialog(reporter=reporter, theme=theme, parent=window)
    )
    url = "https://docs.test/a/page?with=a&query=1"
    await stage.take_made("72-open-link", lambda: OpenLink(url, theme=theme, parent=window))
    await stage.take_made("73-palette", lambda: open_palette(window))
    await stage.connect_demo()
    inbox = stage.app.workspace.inbox
    for number, tool in ((74, "ask_sampling"), (75, "ask_elicitation")):
        await stage.call(tool, wait=False)
        await stage.until(lambda: bool(inbox.pending), "the request")
        dialog = window.parts.inbox.dialogs.open(inbox.pending[0])
        assert dialog is not None
        await stage.take(f"{number}-{tool.replace('_', '-')}", dialog)
        dialog.close()
        stage.tools.call_panel.cancel_button.click()
        await stage.until(lambda: not inbox.pending, "the end of the request")


SCENES: tuple[Callable[[Stage], Awaitable[None]], ...] = (
    look,
    empty,
    adding,
    connected,
    compare,
    repeat,
    raw,
    traffic,
    frame_parts,
    timeline,
    operations,
    problems,
    report,
    mixed,
    probes,
    export,
    flood,
    odd,
    failures,
    starting,
    ended,
    glance,
    authorization,
    logging_in,
    pages,
    dialogs,
)
