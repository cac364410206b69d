"""Reading what a server has: list, what is wanted of it, and what was read."""
