"""Compare two exchanges, or two runs of a server."""
