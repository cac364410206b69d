"""Authorization: from a refused request to an access token, and its use. Transports know `transport/http/credentials.py` alone.

Pure, each from bytes to values:
    document            a JSON document that was requested, or what came instead
    metadata            what a protected server and an authorization server publish
    client              the client: registration, and authentication at the token endpoint
    attempt             the authorization request, and whether a callback may be used
    tokens              requests to the token endpoint, and their responses
    grant               what was granted, as it is saved
    signing             assertions and proofs
    rejection           why a new token may be rejected; whose clock is wrong
    urls messages check settings state
The flow:
    discovery steps     what comes next, and what follows from the response: pure too
    flow                carries the steps out, each a value
    user_agent browser  what shows the login page: the browser on this machine
    exchange            the HTTP exchanges, recorded
    held_grant          the grant in use: saved, renewed, revoked
    call_step           the first request with the new token, as a step
    authorizer          the credentials of one server
Without an authorization server:
    supplied_token      the credentials of a server whose token comes from a variable or a command

A rule that a document keeps or breaks is a `Check`; a flow stops with a problem in a sentence, never with an exception about what a server sent.
"""
