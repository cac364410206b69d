"""The repeat page."""
