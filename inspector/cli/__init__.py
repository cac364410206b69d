"""The command line: the engine without a window, for scripts and for a quick look.

command.py      the exit codes, and the commands, one row each
commands/       their code, a file for each topic
command_line.py options.py auth_options.py arguments.py   the command line, read
runner.py       connect, run one command, disconnect; Ctrl+C ends that in order
client_options.py client_profile.py   the client that the server sees: what it declares, and responses to requests of the server
answers.py default_content.py   the rules of those responses, and what a form is accepted with
completion_scripts.py   completion in bash, zsh and fish
notifications.py raw_output.py   log messages and progress beside a command; the bytes of one content block
connection_files.py connection_host.py connection_client.py   named connections: their sockets, the process that holds one, and who uses it
session_setup.py   the session of a command: the server that it names, credentials, recording
access.py       credentials of a command: a token from outside, a client of its own, or a saved login; logging in from a terminal
auth_report.py  the steps of an authorization, as text and as JSON
json_output.py  pieces of machine-readable output
stderr_report.py findings_report.py   failures, steps and findings on stderr
internal_errors.py   faults of Spyglass: printed, and told by the exit code
output_file.py  the file of --output, which is replaced when it is complete
console.py      the only place that writes to the terminal and reads from it
"""
