"""Files of other tools as recordings. They may come from anywhere and contain anything.

importer.py         an importer, what it is given, and the report of what it skipped
importers.py        the importers, one row each
conversion.py       one file into one recording: a thread reads, in slices, and it can be stopped at any time
json_items.py       the items of one array in a JSON document of any size, one by one, as far as the document goes
http_frames.py      HTTP requests and responses that are described by fields, as frames
json_lines.py       JSON Lines of Spyglass
har.py              HAR, of browsers and proxies
inspector_export.py the exports of the official MCP Inspector
mcpsnoop.py         sessions of mcpsnoop, and its JSON export
mcphawk.py          the database of MCPHawk
mcp_debugger.py     the database of mcp-debugger, and its JSON export
claude_desktop.py   logs of Claude Desktop

To add one: a module with a function that yields frames, and a row in `IMPORTERS`.
"""
