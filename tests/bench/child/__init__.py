"""What runs in the child processes. Each module prints one JSON object of figures as its last line.

figures      printing them, and medians of repeated steps
floor        the bare asyncio client: as little as it takes to receive the same
peer         the official Python SDK, in an environment of its own
engine       our engine, recording into a file
http_load http_peer http_engine     the same over streamable HTTP
window       the whole application, offscreen, with a meter for gaps of its event loop
flood large tools     the application under load
start watched_window bare_window     from the start of the process to the first painted window
table judge           a long transcript: shown, filtered, opened, judged
traffic               the mixed frames of that transcript
"""
