"""The command line: the engine without a window, for scripts and for a quick look.

command.py      the commands, one row each
commands/       the commands, one file each
command_line.py options.py auth_options.py call_arguments.py   the command line, read
server_hint.py  what a server on it was probably meant as
runner.py       connect, run one command, disconnect
session_setup.py server.py chosen_settings.py   the session of a command, and the server that it names
exit_codes.py   the exit codes
item_lists.py request_result.py   what several commands print
access.py       credentials of a command: a token from outside, a client of its own, or a saved login
auth_probe.py   a server asked without a token
terminal_agent.py   logging in from a terminal
login_hint.py   the command that logs in to a server that requires it
auth_report.py auth_json.py   the steps of an authorization, as text and as JSON
json_output.py  pieces of machine-readable output
stderr_report.py findings_report.py   failures and steps, and findings, on stderr
console.py keyboard.py   the only places that write to the terminal, and read from it
interrupt.py    Ctrl+C ends in order
"""
