"""The window around everything: it arranges, and owns no behaviour of a feature."""
