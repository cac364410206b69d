// A protected server on the official TypeScript SDK, version 1: its bearer middleware, and its tool that needs another scope.
//
//     node ts1_protected.mjs FOLDER PORT ISSUER
//
// FOLDER has the SDK in its node_modules; ISSUER is an authorization server whose keys are at `/jwks`. `whoami` needs the scope
// `mcp:read`, as every request does; `write` needs `mcp:write` as well.

import { createRequire } from "node:module";

const [folder, port, issuer] = process.argv.slice(2);
const require = createRequire(`${folder}/`);
const express = require("express");
const { createRemoteJWKSet, jwtVerify } = require("jose");
const { McpServer } = require("@modelcontextprotocol/sdk/server/mcp.js");
const { StreamableHTTPServerTransport } = require("@modelcontextprotocol/sdk/server/streamableHttp.js");
const { requireBearerAuth } = require("@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js");
const { InvalidTokenError } = require("@modelcontextprotocol/sdk/server/auth/errors.js");
const { getOAuthProtectedResourceMetadataUrl, mcpAuthMetadataRouter } = require("@modelcontextprotocol/sdk/server/auth/router.js");

const resource = new URL(`http://127.0.0.1:${port}/mcp`);
const jwks = createRemoteJWKSet(new URL(`${issuer}/jwks`));

const verifier = {
    async verifyAccessToken(token) {
        try {
            const { payload } = await jwtVerify(token, jwks, { issuer, audience: resource.href });
            const { client_id: clientId, scope = "", exp: expiresAt } = payload;
            return { token, clientId, scopes: scope.split(" "), expiresAt, resource };
        } catch (error) {
            throw new InvalidTokenError(error.message);
        }
    },
};

function makeServer() {
    const server = new McpServer({ name: "ts1-protected", version: "1.32.2" });
    const words = (text) => ({ content: [{ type: "text", text }] });
    server.registerTool("whoami", {}, ({ authInfo }) => words(`${authInfo.clientId} ${authInfo.scopes.join(" ")}`));
    server.registerTool("write", {}, () => words("written"));
    return server;
}

const guard = (...requiredScopes) =>
    requireBearerAuth({
        verifier,
        requiredScopes,
        resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(resource),
        expectedResource: resource,
    });
const [reads, writes] = [guard("mcp:read"), guard("mcp:read", "mcp:write")];

const app = express();
const response = await fetch(`${issuer}/.well-known/oauth-authorization-server`);
app.use(
    mcpAuthMetadataRouter({
        oauthMetadata: await response.json(),
        resourceServerUrl: resource,
        scopesSupported: ["mcp:read"],
    }),
);
app.use(express.json());
app.all(
    "/mcp",
    (request, response, next) => (request.body?.params?.name === "write" ? writes : reads)(request, response, next),
    async (request, response) => {
        const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
        response.on("close", () => transport.close());
        await makeServer().connect(transport);
        await transport.handleRequest(request, response, request.body);
    },
);
app.listen(Number(port), "127.0.0.1");
