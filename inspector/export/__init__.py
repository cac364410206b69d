"""Frames in other formats, for copies and files. A `Masking` decides whether secrets are in them.

formats.py   the formats, one row each; both front ends offer them; raw text and indented JSON
jsonl.py     JSON Lines, and a frame as JSON with times, exchange and findings
curl.py      HTTP requests as command lines

To add a format: a function `write` in a file of its own, and a row in `FORMATS`.
"""
