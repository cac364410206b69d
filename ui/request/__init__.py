"""What every page that sends one request has in common, before it is sent.

panel        base of the panel of a page whose list selects what is sent
column       lays such a panel out
row          its bottom row: send, cancel, problems
obstacle     the problem in that row
options      timeouts, number of rounds, `_meta`
meta_edit    the text of `_meta`
headers      the HTTP headers that the request derives from its content
"""
