// An authorization server that nobody here wrote: the npm package `oidc-provider`, with the login pages that come with it.
//
//     node oidc_server.mjs FOLDER PORT [SWITCHES]
//
// FOLDER has it in its node_modules. SWITCHES is JSON: `dpop` for tokens that are bound to a key, with nonces; `documents`,
// client id metadata documents by URL, which is where they are taken from; `clients` that are registered beforehand;
// `initialToken` without which nobody registers. Any login and password will do; tokens are given
// for each URL on 127.0.0.1 that ends in `/mcp`. Why a token request is refused is told on standard error alone.

import { createRequire } from "node:module";

const [folder, port, switches = "{}"] = process.argv.slice(2);
const { dpop = false, documents, clients = [], initialToken } = JSON.parse(switches);
const { Provider, errors } = createRequire(`${folder}/`)("oidc-provider");

const issuer = `http://127.0.0.1:${port}`;
const scope = "mcp:read mcp:write";

function getResourceServerInfo(_ctx, resource) {
    const { hostname, pathname } = new URL(resource);
    if (hostname !== "127.0.0.1" || pathname !== "/mcp") throw new errors.InvalidTarget();
    return { scope, audience: resource, accessTokenTTL: 60, accessTokenFormat: "jwt", jwt: { sign: { alg: "RS256" } } };
}

const features = {
    registration: { enabled: true, initialAccessToken: initialToken },
    clientCredentials: { enabled: true },
    revocation: { enabled: true },
    resourceIndicators: { enabled: true, getResourceServerInfo, useGrantedResource: () => true },
};
if (dpop) {
    features.dPoP = { enabled: true, nonceSecret: Buffer.alloc(32, 1), requireNonce: () => true };
}
if (documents) {
    features.clientIdMetadataDocument = { enabled: true, ack: "draft-02" };
}

const provider = new Provider(issuer, {
    features,
    clients,
    scopes: ["openid", "offline_access", ...scope.split(" ")],
    clientAuthMethods: ["none", "client_secret_basic", "client_secret_post", "private_key_jwt"],
    clientDefaults: {
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: "none",
    },
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed("refresh_token"),
    ttl: { AccessToken: 60, AuthorizationCode: 30, Grant: 600, Session: 600, RefreshToken: 600 },
    cookies: { keys: ["tests"] },
    findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    fetch: (url, options) => {
        const found = documents?.[url];
        if (found === undefined) return fetch(url, options);
        return new Response(JSON.stringify(found), { headers: { "content-type": "application/json" } });
    },
});

for (const event of ["grant.error", "authorization.error", "registration_create.error", "server_error"]) {
    provider.on(event, (_ctx, error) => console.error(event, error.message, error.error_detail ?? ""));
}
provider.listen(Number(port), "127.0.0.1");
