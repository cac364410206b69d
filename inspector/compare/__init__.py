"""What differs between two messages, results, texts, or runs of one server, as data. Pure, and bounded in time and memory.

Functions that may take long yield after each small piece of work and return the result (`background_tasks.Steps`).

json_text        JSON text read one level at a time: what is equal on both sides is never parsed
sequence_diff    which items of two sequences are the same
array_matching   which items of two arrays are counterparts: by identity, by content, by position
json_difference  the structural difference of two JSON texts: added, removed, changed, moved, each with its path
text_difference  the difference of two texts, line by line
paths            paths in a JSON value as text, and patterns of paths
rows             a difference as rows of two columns, with folded equal lines
difference_text  a difference as text, for a file
json_lines       JSON text as indented lines
json_rows        the rows of a structural difference
exchange_parts   the parts of an exchange that are compared: result, arguments, frame, timing
volatile_paths   members that change with every send of the same request, which a comparison ignores
server_snapshot  what a server declared and listed in one run
run_difference   how a server differs from an earlier run
"""
