"""Rules over a whole transcript, which yield findings: the order of messages, HTTP responses, results of tools beside their list.

`background_validator` runs them over live and opened transcripts alike, and every front end shows what they find. Rules about one
message alone are in `spec` (`jsonrpc_rules`, `validation` and the views), because the pages of the window use them too.
`report` sums up what all rules came to in a session, and `excerpts` quotes the messages.
"""
