"""Random hostile input, within a budget of time: `make fuzz`, or `python -m tests.fuzz [TARGET…] [--seconds N] [--seed N]`.

    case       what one run of a target is given, and what it may not do: raise, keep the loop busy, hang
    runner     goes round the targets until the time is over, and tells what failed with the seed that repeats it
    targets    the registry: a tuple of all targets
    other_thread    a server beside the loop that is watched
    the others      one module for each kind of input

A target is an async function of a `Case`. It makes its input from `case.random` alone, so that a seed repeats it, and fails with any
exception that is not an expected one of the engine.
"""
