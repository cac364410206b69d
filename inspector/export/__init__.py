"""Frames in other formats, for copies and files. A `Masking` decides whether secrets are in them.

formats.py         the formats, one row each; both front ends offer them
offered.py         for which frames they are offered
pieces.py          texts of many megabytes in pieces
text.py            exact text, and indented JSON
json_lines.py      JSON Lines, from which frames can be restored to the byte
markdown.py        Markdown, for an issue
har.py             HTTP exchanges as HAR 1.2
csv_rows.py        rows for a spreadsheet
otlp.py            requests as OTLP spans
curl.py            HTTP requests as command lines of curl
cli_line.py        requests as command lines of `spyglass-cli`
python_sdk.py      requests as programs for the Python SDK
typescript_sdk.py  requests as programs for the TypeScript SDK
server_target.py   how the server of a frame was reached, and the request that a command line or program sends again
edited.py          a message that was edited, in place of the one that was sent
saving.py          frames into a file, in slices, with progress
bug_report.py      one operation, what led to it and versions, as Markdown

To add a format: a function that yields texts in a module of its own, and a row in `FORMATS` that names both.
"""
