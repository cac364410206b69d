"""The overview page: who the server is, what was agreed, and what both sides can do."""
