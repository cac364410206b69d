"""The report of a server: what all rules came to in a run, by family."""
