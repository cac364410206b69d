"""The tools page: list, arguments and results."""
