"""What the specification asks of a client, and the tests that prove it: `python -m tests.manifest`.

    requirements.toml    a row for each requirement: what it asks, and its tests or why it has none
    rows.py              a row, and how the file is read and written
    proofs.py            which tests name which requirements
    verdict.py           what is wrong with the rows
    __main__.py          brings the tests of the rows up to date, and counts

A test proves a requirement by naming its id in its docstring; nobody writes `tests` in the file. A row without a test gives a
reason: one of `rows.OPEN`, or `not applicable: ` and why.
"""
