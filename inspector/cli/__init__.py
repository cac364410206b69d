"""The command line: the engine without a window, for scripts and for a quick look.

options.py      the command line, taken apart
runner.py       connect, run one command, disconnect
exit_codes.py   the exit codes
info.py lists.py call.py raw.py requests.py   the commands, one a file
auth.py login.py   what a protected server publishes; a token for it, kept in the system keyring
access.py       credentials of a command: a token from outside, a client of its own, or a saved login
auth_options.py chosen_settings.py   the options about authorization, and the settings that they select
terminal_agent.py   logging in from a terminal
login_hint.py   the command that logs in to a server that requires it
auth_report.py auth_json.py   the steps of an authorization, as text and as JSON
failed_connection.py   why connecting failed
transcript.py   a recording, printed
json_output.py  pieces of machine-readable output
stderr_report.py   findings, steps and failures on stderr
console.py keyboard.py   the only places that write to the terminal, and read from it
terminal_escape.py   text of a server, made safe for a terminal
interrupt.py    Ctrl+C ends in order
"""
