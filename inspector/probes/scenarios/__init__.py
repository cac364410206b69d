"""The probes, one file each; `runner.PROBES` has them in the order in which they run."""
