"""The tasks page."""
