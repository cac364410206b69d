"""The filter language of the traffic: parsing, suggestions, and what a filter selects.

parser       from a text to terms, groups and alternatives
fields       the fields of the language, as a table
predicates   tests of names, states and findings
quantities   tests that compare durations, sizes and numbers
moments      tests of times: `before:`, `after:`
states       tests of what is remarkable about a frame: `is:`, `comment:`
ids          the test of request and response ids
json_paths   paths into messages, and comparisons there
patterns     wildcards and regular expressions
expression   how conditions are evaluated, a block of frames at a time
query        a filter that was understood
suggestions  what a filter could say next
seen_values  the values in the traffic, counted
"""
