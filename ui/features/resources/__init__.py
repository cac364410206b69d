"""The resources page: list, target and result."""
