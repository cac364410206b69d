"""Responding to elicitations: a form to fill in, or a URL to visit."""
