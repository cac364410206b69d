"""What the official conformance suite expects a server to have; offered with `--conformance`, in front of everything else.

Names and URIs are the suite's. It knows them by heart, so they are of no use to people and stay out of their way.

    tools.py       what is simply returned, and what takes its time
    asking.py      tools that ask the client
    rounds.py      what there is where requests stand alone
    resources.py   what can be read
    prompts.py     what can be filled in
"""
