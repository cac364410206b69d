"""The command line: the engine without a window, for scripts and for a quick look.

options.py      the command line, taken apart
visit.py        connect, do one task, disconnect; the exit codes
info.py lists.py call.py raw.py requests.py   the tasks, one a file
auth.py login.py   what a protected server publishes; a token for it, kept in the system keyring
access.py       what lets a task in: a token from outside, a client of its own, or a login that is kept
auth_options.py chosen_settings.py   the switches about that, and what they choose
terminal_agent.py   logging in from a terminal
login_hint.py   which command logs in to a server that requires it
auth_report.py auth_documents.py   the steps of an authorization, for people and for programs
failed_connection.py   why a server was not reached
recorded.py     a transcript file, printed
documents.py    pieces of machine-readable output
telling.py      findings, steps and failures on stderr
screen.py keyboard.py   the only places that write to the terminal, and read from it
visible.py      text of a server, made harmless for a terminal
interrupt.py    Ctrl+C ends in order
"""
