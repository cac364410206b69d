"""What every page that sends one request has in common, before it is sent.

panel        base of the panel of a page whose list selects what is sent, and its layout
row          its bottom row: send, cancel, problems
options      timeouts, number of rounds, `_meta`
message_edit   the editor of a message that is sent as it is
sent_response  the response to it
headers      the HTTP headers that the request derives from its content
"""
