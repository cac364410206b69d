"""Rules over a whole transcript, which yield findings: the order of messages, HTTP responses, results of tools beside their list.

    catalog.py      every rule, by its id
    families/       the rules with functions of their own, one module a family
    rule_runner.py  hands what is received to them, and counts what each had to check
    message_validator.py  one message: its readers, unless `plain_shapes` tells that they find nothing, then the rules
    listed_views.py  the entries of listed pages as the window reads them, in slices
    history.py      what is known of the connection beside a message
    seen.py         messages, items and lists as rules read them
    later_sessions.py  the revision by which frames are checked after a session was replaced
    clients.py      what clients refuse, cut or change, with sources; `client_limits` checks it again for other target clients
    tokens.py       how many tokens the definition of a tool costs
    probed.py       what probes came to, from the notes that they leave
    kept_checks.py  what checking a recording gave, kept for the next time that it is opened
    rules_page.py   all rules on one web page, with the revisions they are about
    problem_sums.py  how many rules found something, known without the catalog
    report.py       what all rules came to in a session; `excerpts` quotes the messages, `rule_markdown` is for an issue
    report_formats/  that report as text, JSON, SARIF, JUnit and Markdown, with findings that are named alike in every session

`transcript_validator` runs them over the frames of a transcript, and `background_validator`, which imports it when there is time, over live
and opened transcripts alike; every front end displays what they find. Rules about one message alone that pages of the window need too are in `spec` (`jsonrpc_rules`, `validation` and the views).
"""
