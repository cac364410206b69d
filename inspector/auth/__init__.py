"""Authorization: from a refused request to an access token, and its use. Transports know `transport/http/credentials.py` alone.

Pure, each from bytes to values:
    challenge_check     what the rules say of `WWW-Authenticate`, which `wire/challenge.py` reads
    document            a JSON document that was asked for, or what came in its place; web_page where that was a page
    resource_metadata   what a protected server says of itself
    server_metadata     what an authorization server says of itself
    client              who we are to it: registration, and authentication at the token endpoint
    attempt             the authorization request, and whether a callback may be acted upon
    tokens              requests to the token endpoint, and what comes back
    grant               what was granted, as it is kept
    signing             assertions and proofs
    rejection           why a new token may be rejected; clock_skew tells whose clock is wrong
    urls messages check secret_values settings state
The flow:
    stage discovery steps    what comes next, and what follows from what came: pure too
    flow                     carries the steps out, each a value
    user_agent               who shows the login page; listener is the one for a browser on this machine
    browser                  makes it with the settings of a server
    first_look               a look at the login page before a browser is opened
    exchange                 the HTTP exchanges, recorded
    refreshing               renewing and revoking
    held_grant               the grant that is used now, and where it is kept
    call_step                what became of the new token
    step_up                  what an operation needs beyond the token
    proofs                   headers that carry a token
    broken_token             a token that was broken on purpose
    authorizer               the credentials of one server
Without an authorization server:
    token_source             a token from an environment variable or a command
    supplied_token           the credentials of a server that takes such a token

What a rule says of a document is a `Check`, and a flow is stopped by a problem in words, never by an exception of what a server sent.
"""
