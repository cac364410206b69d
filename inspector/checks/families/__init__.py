"""The families of rules that have functions of their own, one module each.

A module ends with `RULES`, a tuple of `Rule`. To add a rule, write a function `(subject, history) -> Iterable[Finding | At]` and a
row with the same id: `on` says what the function looks at (`rules.rule.Subject`), and so what it is handed:

    REQUEST, RESULT, ERROR, NOTIFICATION    `seen.ReceivedMessage`
    ITEM                                    `seen.ListedItem`, for every item of a list in turn
    LIST                                    `seen.WholeList`, when the last page of a list is here
    HTTP, BODY, EVENT                       `http_exchanges.HttpFrame`: headers of a response, a body, a block of an event stream
    NOTE                                    `seen.Note`
    LINE                                    `seen.Line`
    CONNECTION                              `history.History` twice: when the connection has ended, or a report is made

`history` is what is known of the connection beside it. A rule on a list yields None every few
hundred items, where it may pause (`listing.matching`). Functions are pure: what has to be remembered is a part of `History`.
Findings are made with `spec.findings.make_finding`, by the id; one about another frame is an `At`. Each rule has its case in
`tests/engine/checks/families`: what breaks it, and what nearly does.
"""
