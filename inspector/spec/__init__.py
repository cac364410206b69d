"""What the revisions say: data and pure functions.

The only place with revision dates. Light to import: pydantic and the official models are imported by `judge` alone.

    revision.py      the five revisions, facts by name
    methods.py       which requests and notifications a revision has, who sends them, what they need
    method.py        what a row of those tables says; the rows are in requests.py and notifications.py
    keys.py          reserved `_meta` keys, header names, content types
    error_codes.py   every error code, in words, with its remedy
    capabilities.py  the tolerant reading of what a side declared; the rows are in capability_table.py
    links.py         where the specification says so
    pointer.py       where in a message something is
    kinds.py         the kinds of JSON values, in words
    view.py          tolerant reading of one JSON object
    views/           the typed readings, one file a kind
    judge.py         findings for one message, from the four that follow
    envelope.py      JSON-RPC and the revision, checked by hand
    official.py      the official validators; their errors are settled in faults.py and told in fault_words.py
    later.py         members that the revision does not have yet, or no longer
"""
