"""Runs the demo server: `python -m inspector.demo --help`."""

from __future__ import annotations

import signal
import sys
import threading
import time

from inspector.demo.options import Options
from inspector.demo.server import Server
from inspector.demo.writer import Outlet, write_stderr

BANNER = "Spyglass demo server\n====================\nLoading 3 plug-ins ... \x1b[32mdone\x1b[0m\n"


def main() -> int:
    """Serve until stdin ends; the exit code."""
    options = _options()
    if options.exit_code is not None:
        write_stderr(options.exit_text)
        return options.exit_code
    if options.ignore_sigterm:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    outlet = Outlet()
    _begin(options, outlet)
    try:
        if options.http_port is not None or options.sse_port is not None:
            _serve_http(options)
        Server(options, outlet).serve(sys.stdin.buffer)
        if options.ignore_eof:
            write_stderr("stdin ended; going on all the same")
            threading.Event().wait()
    except KeyboardInterrupt:
        return 130
    write_stderr("stdin ended; goodbye")
    return 0


def _options() -> Options:
    """The switches; without any, argparse is not loaded, which takes a fifth of the time to start."""
    if len(sys.argv) == 1:
        return Options()
    from inspector.demo import command_line

    return command_line.read()


def _serve_http(options: Options) -> None:
    import asyncio

    from inspector.demo import http_server

    asyncio.run(http_server.serve(options))


def _begin(options: Options, outlet: Outlet) -> None:
    if options.banner:
        outlet.write(BANNER.encode())
    for number in range(1, options.stderr_lines + 1):
        write_stderr(f"start line {number} of {options.stderr_lines}")
    time.sleep(options.slow_start_seconds)
    write_stderr("ready")


if __name__ == "__main__":
    sys.exit(main())
