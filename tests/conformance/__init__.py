"""The official conformance suite against our engine and our demo server: `python -m tests.conformance`, or `make conformance`.

    __main__.py      the command line, and what is printed
    client.py        the program that the suite starts for each client scenario; acts.py says what it does there
    authorizing.py   how that program is let in where a scenario wants authorization
    client.sh        starts that program so that its end can be told
    suite.py         the suite as it is installed, and the scenarios it has
    bounded.py       runs a program for so long and no longer
    plan.py          a scenario at a revision: one run
    judging.py       what the checks of a run mean
    client_runs.py   the runs of client scenarios
    server_runs.py   the runs of server scenarios, and the demo server they need
    expected.py      the failures that are known, and expected-failures.txt, which names them
    report.py        lines to read
    npm/             the lock of the suite

The suite judges less strictly than we do: it lets a client pass that was stopped, that crashed, or that did nothing.
"""
