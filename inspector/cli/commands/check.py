"""`check`: what all rules come to for a server or a recording, in a format for CI; findings that a baseline has are known, and do no harm."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.checks.clients import CLIENTS, find_client, read_targets
from inspector.checks.opened_recording import OpenedRecording
from inspector.checks.probed import without_secrets
from inspector.checks.report import Report, make_report, sums_of
from inspector.checks.report_formats.document import ReportDocument, make_findings
from inspector.checks.report_formats.formats import FORMATS
from inspector.cli.command import (
    ERROR_RESPONSE,
    NOT_CONFIRMED,
    NOT_CONNECTED,
    PROBLEMS,
    SUCCESS,
    UNAUTHORIZED,
    CommandCode,
)
from inspector.cli.findings_report import print_unchecked
from inspector.cli.options import add_connection_options, add_output_options
from inspector.cli.runner import run_reporting
from inspector.cli.stderr_report import print_usage_error
from inspector.config.muted_rules import FILE_NAME, read_file
from inspector.errors import InspectorError, StorageError
from inspector.features.prompts import Prompts
from inspector.features.resources import Resources
from inspector.features.tools import Tools
from inspector.finding import Severity
from inspector.json_value import Json
from inspector.probes.runner import PROBES, listed_objects, plan_probes, run_probes
from inspector.probes.tool_uses import tool_uses
from inspector.rules.rule import FAMILIES
from inspector.transcript.redaction import Masking
from inspector.wire import json_codec
from inspector.wire.json_codec import JsonSyntaxError
from inspector.wire.redaction import mask_urls

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Collection, Sequence

    from inspector.checks.probed import ProbeRecord
    from inspector.cli.access import Credentials
    from inspector.cli.console import Console, Keyboard
    from inspector.cli.findings_report import SessionFindings
    from inspector.cli.options import Options
    from inspector.cli.session_setup import ServerSession
    from inspector.json_value import JsonObject
    from inspector.probes.probe import Probe
    from inspector.probes.runner import Lists
    from inspector.probes.tool_uses import ToolUse
    from inspector.session.session import Session
    from inspector.spec.revision import Revision
    from inspector.transcript.transcript import Transcript

MANIFESTS = ("server.json", "manifest.json", "package.json", "pyproject.toml")
"""Files that describe a server: findings are attached to the earliest of them that exists."""

FINISH_SECONDS = 300.0
"""How long checking may go on after the last message."""

MAX_BASELINE_BYTES = 100_000_000

_SEVERITIES = {each.name.lower(): each for each in Severity}


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("args", nargs="*", metavar="FILE", help="a recording instead of a server")
    add = parser.add_argument
    text, choices = "print the report in this format (default text)", [each.key for each in FORMATS]
    add("--format", choices=choices, help=text)
    text = "exit with 7 for a finding of this severity or above (default warning)"
    add("--severity", choices=[*_SEVERITIES], help=text)
    text = f"only this family of rules (repeatable): {', '.join(filter(None, FAMILIES))}"
    add("--family", dest="families", type=str.upper, action="append", metavar="F", help=text)
    text = f"only limits of this client (repeatable): {', '.join(CLIENTS)}"
    add("--client", dest="clients", action="append", metavar="NAME", help=text)
    text = "also send requests on purpose that show how the server handles mistakes; they are listed on stderr before"
    add("--probe", action="store_true", help=text)
    text, keys = "send this probe; without --probe no others (repeatable)", [e.key for e in PROBES]
    add("--probe-name", action="append", dest="probes", choices=keys, metavar="NAME", help=text)
    text = "print the probes, what each sends, and what that may do; no server is needed"
    add("--list-probes", action="store_true", help=text)
    text = "with --probe: also probes that call a tool, which is one marked as read-only"
    add("--probe-tools", action="store_true", help=text)
    text = "findings that this earlier report (--format json) has are known, and do not change the exit code"
    add("--baseline", type=Path, metavar="FILE", help=text)
    text = f"leave out the rules that this file mutes (default: {FILE_NAME} in this folder)"
    add("--muted", type=Path, metavar="FILE", help=text)
    text = "attach the findings to FILE in SARIF (default: the file that starts or describes the server)"
    add("--source", metavar="FILE", help=text)
    add_output_options(parser, "the same as --format json")
    add_connection_options(parser)


def _problem(options: Options) -> str:
    unknown = [each for each in options.families if each not in FAMILIES]
    if unknown:
        return f"no family {unknown[0]!r}; families: {', '.join(filter(None, FAMILIES))}"
    if strange := [each for each in options.clients if not find_client(each)]:
        return f"no client {strange[0]!r}; clients: {', '.join(CLIENTS)}"
    if options.json and options.format:
        return "either --json or --format"
    if options.list_probes and (options.args or options.format not in {"", "json"}):
        return "--list-probes takes no recording, and no format but json"
    is_probing = options.probe or options.probes
    if options.probe_tools and not is_probing:
        return "--probe-tools needs --probe or --probe-name"
    if is_probing and options.args:
        return "probes need a server; a recording cannot be probed"
    calling = [each.key for each in PROBES if each.calls_tool and each.key in options.probes]
    if calling and not options.probe_tools:
        return f"the probe {calling[0]} calls a tool, which needs --probe-tools"
    return "check takes one recording" if len(options.args) > 1 else ""


async def _run(options: Options, console: Console, keyboard: Keyboard) -> int:
    """Check, print the report, and return the exit code."""
    if options.list_probes:
        return _list_probes(options, console)
    try:
        known = frozenset[str]() if options.baseline is None else read_baseline(options.baseline)
        muted = _muted(options)
    except StorageError as error:
        return print_usage_error(console, error, options)
    check = Check(options, console, known, muted)
    if options.args:
        return await check.run_recording(Path(options.args[0]))
    return await run_reporting(
        lambda _server, _findings: read_lists, options, console, keyboard, check.conclude
    )


def _list_probes(options: Options, console: Console) -> int:
    """Print every probe; those that are only sent by name are marked."""
    if options.json or options.format == "json":
        console.out_json([_probe_to_json(each) for each in PROBES])
        return SUCCESS
    rows = [
        (each.key, each.effect + (_BY_NAME if each.is_opt_in else ""), each.sends)
        for each in PROBES
    ]
    console.out_table(rows)
    return SUCCESS


_BY_NAME = ", by name only"


def _probe_to_json(probe: Probe) -> JsonObject:
    return {
        "probe": probe.key,
        "title": probe.title,
        "sends": probe.sends,
        "effect": str(probe.effect),
        "byNameOnly": probe.is_opt_in,
        "rules": list[Json](probe.rules),
    }


def _muted(options: Options) -> Collection[str]:
    """Return the muted rules: those of `--muted`, or of the usual file in this folder.

    Raises:
        StorageError: the file cannot be read.
    """
    file = options.muted or Path(FILE_NAME)
    if options.muted is not None and not file.is_file():
        raise StorageError(f"{file} is not a file")
    return read_file(file)


async def read_lists(session: Session, options: Options, console: Console) -> int:
    """Read every list that the server declares; one that cannot be read is for the rules. Then run the probes, if asked to.

    Returns the exit code: that of problems if a probe could not be tried by a fault of Spyglass.
    """
    tools, resources, prompts = Tools(session), Resources(session), Prompts(session)
    for each in (tools, resources, resources.templates, prompts):
        if each.offered:
            with suppress(InspectorError):
                await each.refresh()
    if options.probe or options.probes:
        read = {"tools": tools.items, "resources": resources.items, "prompts": prompts.items}
        lists = {member: listed_objects(items) for member, items in read.items()}
        uses = tool_uses(lists["tools"]) if options.probe_tools else []
        has_fault = await _probe(session, console, lists, uses, _chosen(options))
        return PROBLEMS if has_fault else SUCCESS
    return SUCCESS


def _chosen(options: Options) -> frozenset[str]:
    """Return the keys of the probes to send."""
    usual = [each.key for each in PROBES if options.probe and not each.is_opt_in]
    return frozenset([*usual, *options.probes])


async def _probe(
    session: Session,
    console: Console,
    lists: Lists,
    uses: Sequence[ToolUse],
    chosen: Collection[str],
) -> bool:
    """Say what is sent, send it, and print what each probe came to on stderr; return whether one failed by a fault of Spyglass."""
    has_fault = False
    for probe, reason in plan_probes(session, lists, uses):
        if not reason and probe.key in chosen:
            console.err(f"probe {probe.key}: {probe.sends} ({probe.effect})")
    async for probe, result in run_probes(session, chosen, uses=uses, lists=lists):
        console.err(f"{result.outcome.value}: {probe.key}: {result.text}")
        has_fault |= result.is_fault
    return has_fault


class Check:
    """One check."""

    def __init__(
        self,
        options: Options,
        console: Console,
        known: Collection[str],
        muted: Collection[str],
    ) -> None:
        """Print on `console`; findings whose fingerprints are `known` are in the baseline, and rules that are `muted` do not count."""
        self._muted = muted
        self._options = options
        self._console = console
        self._known = known

    async def run_recording(self, file: Path) -> int:
        """Check a recording, and return the exit code."""
        try:
            recording = await OpenedRecording.open(file)
            try:
                recording.sweep.set_targets(read_targets([*self._options.clients]))
                await recording.load()
                for sentence in recording.report.sentences:
                    self._console.err(sentence)
                sweep = recording.sweep
                print_unchecked(self._console, unchecked := await sweep.finish(FINISH_SECONDS))
                return self._report(
                    recording.transcript,
                    sweep.rules.seen_rules,
                    sweep.rules.history.probes.all,
                    sweep.settings.revision,
                    target=str(file),
                    unchecked=unchecked,
                )
            finally:
                await recording.aclose()
        except StorageError as error:
            return print_usage_error(self._console, error, self._options)

    async def conclude(
        self,
        server: ServerSession[Credentials | None],
        findings: SessionFindings,
        options: Options,
        console: Console,
        code: int,
    ) -> int:
        """Print the report of a session that has ended, and return the exit code: that of a failure comes before that of findings."""
        del console
        unchecked = await findings.finish(FINISH_SECONDS)
        session = server.session
        found = self._report(
            session.transcript,
            findings.seen_rules,
            findings.probes,
            session.revision,
            server=_name_of(session),
            target=mask_urls(" ".join(options.target) or options.server or str(options.config)),
            unchecked=unchecked,
            failure="" if session.failure is None else session.failure.reason,
        )
        if code not in (SUCCESS, NOT_CONFIRMED):
            return code
        return found if session.failure is None else ERROR_RESPONSE

    def _report(
        self,
        transcript: Transcript,
        seen: Collection[str],
        probes: Sequence[ProbeRecord],
        revision: Revision | None,
        *,
        server: str = "",
        target: str,
        unchecked: int,
        failure: str = "",
    ) -> int:
        """Print the report, and return what its findings come to."""
        options, masking = self._options, Masking(transcript)
        report = _only(
            make_report(transcript.rule_findings, seen, muted=self._muted, probes=probes),
            options.families,
        )
        findings = make_findings(transcript, report.results(), revision, self._known)
        total = sum(each.count for each in report.results() if not each.is_muted)
        document = ReportDocument(
            report=report,
            findings=findings,
            server=masking.text(server),
            target=masking.text(target),
            revision=str(revision.date) if revision is not None else "",
            source=source_of(options),
            probes=without_secrets(report.probes, transcript),
            left_out=total - len(findings) + transcript.dropped_findings,
            unchecked=unchecked,
            failure=masking.text(failure),
            clients=tuple(sorted(read_targets([*options.clients]))),
        )
        key = "json" if options.json else options.format or FORMATS[0].key
        write = next(each.write for each in FORMATS if each.key == key)
        self._console.out_exact(write(document))
        threshold = _SEVERITIES[options.severity or "warning"]
        return PROBLEMS if unchecked or document.grave(threshold) else SUCCESS


def _only(report: Report, families: Collection[str]) -> Report:
    """Return the report with these families alone; all without any."""
    if not families:
        return report
    kept = tuple(each for each in report.families if each.family.key in families)
    rules = {result.rule.id for family in kept for result in family.rules}
    probes = tuple(each for each in report.probes if not rules.isdisjoint(each.rules))
    return Report(kept, sums_of(each for family in kept for each in family.rules), probes=probes)


def _name_of(session: Session) -> str:
    """Return name and version of a server, without what it does not report."""
    if session.greeting is None:
        return ""
    server = session.greeting.server.server
    return f"{server.name} {server.version}".strip()


def source_of(options: Options) -> str:
    """Return the file that findings are attached to: the one of the option, or the one that starts or describes the server."""
    if options.source:
        return options.source
    if options.config is not None:
        return options.config.as_posix()
    if options.args:
        return options.args[0]
    named = (each for each in options.target if Path(each).suffix and Path(each).is_file())
    described = (each for each in MANIFESTS if Path(each).is_file())
    return next(named, next(described, ""))


def read_baseline(file: Path) -> frozenset[str]:
    """Return the fingerprints of the findings in an earlier report.

    Raises:
        StorageError: the file cannot be read, or is no report in JSON.
    """
    hint = "Write one with check --format json --output FILE."
    try:
        with file.open("rb") as opened:
            value = json_codec.read(opened.read(MAX_BASELINE_BYTES)).value
    except (OSError, JsonSyntaxError) as error:
        raise StorageError(f"cannot read the baseline {file}: {error}", hint=hint) from error
    findings = value.get("findings") if isinstance(value, dict) else None
    if not isinstance(findings, list):
        raise StorageError(f"{file} is no report in JSON", hint=hint)
    prints = (each.get("fingerprint") for each in findings if isinstance(each, dict))
    return frozenset(each for each in prints if isinstance(each, str))


check = CommandCode(
    _add_arguments,
    _run,
    (
        "check -- npx -y @modelcontextprotocol/server-everything",
        "check --severity error --format sarif --output spyglass.sarif -- python server.py",
        "check --probe-name unknown-tool --probe-name bad-cursor -- python server.py",
        "check --baseline baseline.json --format junit --output report.xml -- http://127.0.0.1:3001/mcp",
        "check session.spyglass --family TOOL --json",
    ),
    (NOT_CONNECTED, ERROR_RESPONSE, UNAUTHORIZED, PROBLEMS),
    _problem,
)
