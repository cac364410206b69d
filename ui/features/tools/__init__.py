"""The tools page: what can be called, with what, and what came of it."""
