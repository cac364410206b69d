"""Settings of authorization that show what becomes of each of them."""

from __future__ import annotations

from inspector.auth.settings import Settings, Waiver, Way

EVERY = Settings(
    way=Way.ENTERPRISE,
    client_id="the-client",
    client_secret="client-secret",
    client_issuer="https://as.test",
    client_auth="client_secret_post",
    private_key="-----BEGIN PRIVATE KEY-----",
    signing_algorithm="RS256",
    client_metadata_url="https://me.test/client.json",
    scopes=("read", "write"),
    resource="https://mcp.test/",
    resource_metadata_url="https://mcp.test/meta",
    sends_resource=False,
    token_variable="MCP_TOKEN",
    token_command=("op", "read", "op://vault/mcp token"),
    initial_access_token="initial-token",
    issuer="https://as.test",
    server_metadata_url="https://as.test/meta",
    callback_host="localhost",
    callback_port=8090,
    waivers=frozenset(Waiver),
    extra=(("audience", "mcp"), ("prompt", "consent")),
    always_dpop=True,
    serves_client_metadata=True,
    assertion="the-assertion",
    idp_token_endpoint="https://idp.test/token",
    idp_client_id="us",
    idp_client_secret="idp-secret",
    idp_id_token="identity-token",
)
"""Nothing in it is as it is by default."""
