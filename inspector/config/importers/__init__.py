"""Configurations that users paste or that other clients write, read as profiles.

Nothing here runs, resolves or fetches what it reads; no function raises on text from outside.
"""
