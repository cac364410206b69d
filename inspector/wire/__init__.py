"""Bytes to frames to JSON-RPC messages. Pure; nothing here raises on foreign input.

absent             a member of a message that is not there
argument_secrets   secrets among the arguments of a program, and in command lines
batch              the messages of a batch as texts
challenge          the challenges of a 401 or 403 response, from `WWW-Authenticate`
frame              bytes as they crossed the wire
incremental_json   parts of JSON text that is too large to be read at once
json_codec         JSON text to values and back, without loss
json_edits         members of JSON text set and removed, everything else as it was typed
json_nesting       the levels of JSON text: what is nested too deeply to be read is cut into texts that are not, and text is laid out in lines
json_pages         the text of a long array in pages of whole items
json_web_token     what a JSON Web Token says; it is not verified here
json_spans         where in a text a value is, and which value is at a position
lazy_json          large JSON read one level at a time: a member that is not requested is never read
line_splitter      splits a byte stream into lines
message            frames read as JSON-RPC messages
message_kind       what a frame can turn out to be
misshapen          what can be read of a line that is not JSON: the messages in it, and the beginning of a truncated message
protocols          recognizes what speaks at a port where HTTP was expected, by its first bytes
redaction          what is a secret, and how text is displayed without it: the one definition for the screen, copies, the command line and saved files
secret_options     options of widespread programs whose value is a secret although their name does not say so
shell_tokens       the tokens of a command line, and where each is in it
sse                splits a byte stream into SSE blocks, and reads one
tolerant_json      JSON text to values with every tolerance that Python's own reader has
"""
