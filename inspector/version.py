"""The version of Spyglass, as it tells servers and people."""

VERSION = "0.1.0"
