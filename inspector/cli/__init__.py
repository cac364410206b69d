"""The command line: the engine without a window, for scripts and for a quick look.

options.py      the command line, taken apart
visit.py        connect, do one task, disconnect; the exit codes
info.py tools.py call.py raw.py   the tasks, one a file
recorded.py     a transcript file, printed
documents.py    pieces of machine-readable output
telling.py      findings, steps and failures on stderr
screen.py       the only place that writes to the terminal
visible.py      text of a server, made harmless for a terminal
interrupt.py    Ctrl+C ends in order
"""
