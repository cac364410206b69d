"""The command line: the engine without a window, for scripts and for a quick look.

command.py      the commands, one row each
commands/       their code, a file for each topic
command_line.py options.py auth_options.py call_arguments.py   the command line, read
runner.py       connect, run one command, disconnect; Ctrl+C ends that in order
session_setup.py server.py   the session of a command, and the server that it names
access.py       credentials of a command: a token from outside, a client of its own, or a saved login
terminal_agent.py   logging in from a terminal
login_hint.py   the command that logs in to a server that requires it
auth_report.py  the steps of an authorization, as text and as JSON
json_output.py  pieces of machine-readable output
stderr_report.py findings_report.py   failures and steps, and findings, on stderr
console.py      the only place that writes to the terminal and reads from it; the exit codes
"""
