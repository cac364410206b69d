"""Active probes: requests that are sent on purpose, when the user asks for it, to see how a server answers.

    probe.py      what a probe is, and what it came to
    runner.py     which probes there are for a server, and how they run, one after another
    http.py       what the probes of Streamable HTTP share: requests with edited headers
    own_connection.py  a connection of a probe itself, beside that of the user
    tool_uses.py  the calls of tools that may be allowed
    scenarios/    one file a probe

A probe says before what it sends and what effect that may have. A tool is called only if the user allows it, and
is marked as read-only or was called by the user with the same arguments before.
What is wrong becomes a finding of a rule of the catalog, at the frame of the response. Notes in the transcript enclose what a probe
sends, so that its own mistakes are no findings.
"""
