"""What servers wait for: the list of open questions, and the sheets that answer them.

panel   the list
card    one question in it
desk    the sheets that are open, one a question
"""
