"""The folders that a server is told of."""
