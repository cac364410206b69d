"""The report of a server: what all rules came to in a run, by family; and its probes, which are run from there."""
