"""Authorization of the demo server: an OAuth 2.1 resource server and its authorization server, in one process on one listener.

Loaded only with `--auth`, apart from `schema_errors.py`, which names what `--auth-fault` takes. JSON Web Tokens are signed and verified by joserfc.

    faults.py            what can be wrong on request; every other module looks there for its own
    setup.py             where everything lies and how long it lasts
    site.py              sends each request to the part it is for; what is left over goes to the MCP server
    reply.py             a whole HTTP response, and the errors of OAuth
    guard.py             the resource server: checks the token of an MCP request; challenge.py writes `WWW-Authenticate`
    metadata.py          the documents at the well-known places
    clients.py           who is registered; redirect_uris.py says which redirect URIs they may have
    registration.py      dynamic registration; client_document.py reads a client id metadata document
    authorize.py         the authorization endpoint; pages.py has its HTML
    grants.py            authorization codes, grants and refresh tokens, with detection of reuse
    token_endpoint.py    trades a code, a refresh token or a client's credentials for tokens; revocation.py takes them back
    authentication.py    who asks at the token endpoint; scopes.py says what may be asked for
    start.py             puts all that in front of a server
    tokens.py            access tokens: JWTs signed with ES256; jose.py is the only place that knows joserfc
    dpop.py              proofs of possession and their nonces
"""
