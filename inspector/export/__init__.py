"""Frames in other formats, for copies and files. A `Masking` decides whether secrets are in them.

formats.py   the formats, one row each; both front ends offer them
curl.py      HTTP requests as command lines

To add a format: a function that yields texts, and a row in `FORMATS`.
"""
