"""The tests: `engine/` and `ui/` mirror the source, `e2e/` runs the whole program, `servers/` holds what it talks to.

Tests under `ui/` and `e2e/` run on the Qt event loop, all others on plain asyncio: `conftest.py` decides by folder. What
no test may leave behind is listed in `support/guards.py`.
"""
