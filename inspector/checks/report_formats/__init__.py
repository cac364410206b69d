"""What all rules came to in a session, as a file: for a CI job, for code scanning, for a reader.

document.py   the findings of a session with names that stay the same from one session to the next
as_text.py as_json.py as_sarif.py as_junit.py as_markdown.py   one format each; `formats.py` has a row for each
"""
