"""What a change needs while it is made, in less than a minute: `python -m tests.quick`, or `make quick`.

chosen.py    the tests for what has changed, and the core that is always run
__main__.py  the command line: lint of what has changed, and those tests
"""
