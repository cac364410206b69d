"""Rules over a whole transcript, which yield findings: the order of messages, HTTP answers, lists over several pages.

`sweep` runs them over live and opened transcripts alike. Rules about one message alone are in `spec` (`envelope`, `judge` and
the views), because the pages of the window use them too.
"""
