"""Measurements: how fast Spyglass is, as ratios to a floor or a peer taken in the same run.

`python -m tests.bench [NAME…] [--quick]` prints one table. Nothing here is a test: a goal that is missed is printed as such, and only a
measurement that cannot be taken is a failure. Every sample is a fresh process with a limit of time; other work on the
machine is waited for, and what remains of it is printed beside the figures.

    benches      the list: what is measured, against what, and the goals
    runner       takes samples in child processes
    load         how busy the machine is with other things
    table        rows, verdicts and how they are printed
    server       the load server: echoes, floods, large results, many tools
    http_server  echoes over streamable HTTP
    recording    makes the recording of a million frames
    child/       what runs in the child processes
"""
