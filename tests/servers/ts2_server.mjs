// A server on the current official TypeScript SDK: a little of everything that a client meets, in each era.
//
//     node ts2_server.mjs FOLDER MODE              over stdio
//     node ts2_server.mjs FOLDER MODE http PORT    over streamable HTTP
//
// FOLDER has the SDK in its node_modules. MODE is `modern` (the revision without a handshake alone), `legacy` (those with a
// handshake alone) or `dual`. Same tools as `sdk1_server.py` and `sdk2_server.py`, each written once for both eras: what a
// tool asks for is a round of the call in one, and a request of the server in the other.

import { createRequire } from "node:module";
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const [folder, mode, way, port] = process.argv.slice(2);
const require = createRequire(`${folder}/`);
const sdk = require("@modelcontextprotocol/server");
const { serveStdio, StdioServerTransport } = require("@modelcontextprotocol/server/stdio");
const { NodeStreamableHTTPServerTransport, toNodeHandler, toWebRequest } = require("@modelcontextprotocol/node");
const { z } = require("zod");

const { acceptedContent, inputRequired, inputResponse } = sdk;

const TODAY = "notes://today";
const CITIES = { Italy: ["Milan", "Rome"], Norway: ["Bergen", "Oslo"] };
const SQUARE =
    "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR4nGO4YGCAFTEMLQkA2ntMAeuWKpoAAAAASUVORK5CYII=";

const text = (words) => ({ content: [{ type: "text", text: words }] });
const beginning = (names) => (typed) => names.filter((name) => name.startsWith(typed ?? ""));

/** A server with everything, for one connection or one request; `told` says that a resource changed, to whom it may concern. */
function makeServer(told) {
    const server = new sdk.McpServer(
        {
            name: "ts2-peer",
            title: "Peer on the TypeScript SDK",
            version: "2.4.0",
            description: "What the tests of Spyglass talk to.",
            websiteUrl: "https://example.com/ts2",
        },
        {
            instructions: "Call **echo** first.",
            capabilities: {
                logging: {},
                tools: { listChanged: true },
                prompts: { listChanged: true },
                resources: { subscribe: true, listChanged: true },
            },
            cacheHints: { "tools/list": { ttlMs: 60000, cacheScope: "public" } },
        },
    );
    addTools(server);
    addAskers(server);
    addChanges(server, told);
    addResources(server);
    addPrompts(server);
    return server;
}

function addTools(server) {
    const add = (name, inputs, does, more = {}) =>
        server.registerTool(name, { inputSchema: z.object(inputs), ...more }, does);

    add("echo", { message: z.string() }, ({ message }) => text(`Echo: ${message}`), {
        title: "Echo",
        description: "Give back the message.",
    });
    const outputSchema = z.object({ place: z.string(), degrees: z.number(), sunny: z.boolean() });
    add(
        "forecast",
        { place: z.string(), celsius: z.boolean().default(true) },
        ({ place, celsius }) => {
            const structuredContent = { place, degrees: celsius ? 21.5 : 70.7, sunny: true };
            return { ...text(JSON.stringify(structuredContent)), structuredContent };
        },
        { title: "Forecast", description: "Tell the weather, with structured content.", outputSchema },
    );
    add("picture", {}, () => ({ content: [{ type: "image", data: SQUARE, mimeType: "image/png" }] }), {
        description: "Draw a square.",
    });
    add("countdown", { steps: z.int(), seconds: z.number() }, countDown, {
        description: "Take a while and report progress.",
    });
    add("chatter", {}, chatter, { description: "Send log messages." });
    add("fail", {}, () => ({ ...text("The printer is out of paper."), isError: true }), {
        description: "Fail with a result.",
    });
}

async function countDown({ steps, seconds }, ctx) {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    for (let progress = 0; progress < steps && !ctx.mcpReq.signal.aborted; progress++) {
        const params = { progressToken, progress, total: steps, message: `${steps - progress} to go` };
        if (progressToken !== undefined) await ctx.mcpReq.notify({ method: "notifications/progress", params });
        await sleep((seconds / steps) * 1000);
    }
    return text(`Counted down ${steps} steps.`);
}

async function chatter(_, ctx) {
    await ctx.mcpReq.log("debug", "a detail");
    await ctx.mcpReq.log("info", { happened: "something", of: ["this", "and that"] }, "printer");
    await ctx.mcpReq.log("warning", "something odd happened");
    await ctx.mcpReq.log("error", "something bad happened");
    return text("Sent 4 log messages.");
}

/** A tool that wants one thing, and tells what it got. */
function addAsker(server, name, description, request, tells) {
    server.registerTool(name, { description, inputSchema: z.object({}) }, (_, ctx) => {
        const view = inputResponse(ctx.mcpReq.inputResponses, "wanted");
        return view.kind === "missing" ? inputRequired({ inputRequests: { wanted: request } }) : text(tells(view));
    });
}

function addAskers(server) {
    const name = { type: "string", title: "Name", description: "What to call you" };
    const form = { type: "object", properties: { name }, required: ["name"] };
    const whom = inputRequired.elicit({ message: "Whom am I talking to?", requestedSchema: form });
    const answered = (view) => `The person answered: ${view.action} ${JSON.stringify(view.content ?? {})}`;
    addAsker(server, "ask_person", "Ask for a name.", whom, answered);

    const messages = [{ role: "user", content: { type: "text", text: "Describe a telescope." } }];
    const model = inputRequired.createMessage({ messages, maxTokens: 50 });
    const said = (view) => `The model answered: ${JSON.stringify(view.result.content)}`;
    addAsker(server, "ask_model", "Ask the client's model for a sentence.", model, said);

    const page = inputRequired.elicitUrl({ message: "Sign in first.", url: "https://example.com/in" });
    addAsker(server, "visit_page", "Ask for a page to be visited.", page, answered);

    const named = (view) => `Folders: ${view.roots.map((root) => root.uri).join(", ") || "none"}`;
    addAsker(server, "list_folders", "Ask which folders may be worked in.", inputRequired.listRoots(), named);
    addGreet(server);
}

/** Two rounds, the second knowing the answer of the first, which travels as the state of the request. */
function addGreet(server) {
    const ask = (message, requestedSchema, requestState) =>
        inputRequired({ inputRequests: { asked: inputRequired.elicit({ message, requestedSchema }) }, requestState });
    const config = { description: "Take two rounds to know whom to greet.", inputSchema: z.object({}) };
    server.registerTool("greet", config, (_, ctx) => {
        const known = ctx.mcpReq.requestState();
        const answer = acceptedContent(ctx.mcpReq.inputResponses, "asked");
        if (known === undefined && !answer) return ask("Who are you?", z.object({ name: z.string() }));
        if (!known) return ask(`Where are you, ${answer.name}?`, z.object({ town: z.string() }), answer.name);
        return text(`Hello ${known} in ${answer?.town}.`);
    });
}

function addChanges(server, told) {
    server.server.setRequestHandler("resources/subscribe", () => ({}));
    server.server.setRequestHandler("resources/unsubscribe", () => ({}));
    const config = { description: "Change one resource and the list of tools.", inputSchema: z.object({ uri: z.string() }) };
    server.registerTool("announce", config, async ({ uri }) => {
        await told(server, uri);
        return text("announced");
    });
}

function addResources(server) {
    const noted = (uri, words) => ({ contents: [{ uri: uri.href, mimeType: "text/plain", text: words }] });
    server.registerResource("today", TODAY, { description: "A resource.", mimeType: "text/plain" }, (uri) =>
        noted(uri, `Nothing on. It is ${new Date().toISOString()}.`),
    );
    const days = new sdk.ResourceTemplate("notes://{day}", {
        list: undefined,
        complete: { day: beginning(["monday", "tuesday"]) },
    });
    server.registerResource("note", days, { description: "A template of resources.", mimeType: "text/plain" }, (uri, { day }) =>
        noted(uri, `Nothing on ${day}.`),
    );
}

function addPrompts(server) {
    const add = (name, description, inputs, words) =>
        server.registerPrompt(name, { description, argsSchema: z.object(inputs) }, (given) => ({
            messages: [{ role: "user", content: { type: "text", text: words(given) } }],
        }));
    add("greet", "A prompt.", { name: z.string() }, ({ name }) => `Please greet ${name}.`);
    const country = sdk.completable(z.string(), beginning(Object.keys(CITIES)));
    const city = sdk.completable(z.string(), (typed, context) => beginning(CITIES[context?.arguments?.country] ?? [])(typed));
    const plan = (given) => `Plan three days in ${given.city}, ${given.country}.`;
    add("travel", "A prompt whose arguments can be completed.", { country, city }, plan);
}

// --- serving -----------------------------------------------------------------------------------

/** One connection hears of its own changes. */
async function tellHere(server, uri) {
    await server.server.sendResourceUpdated({ uri });
    server.sendToolListChanged();
}

async function overStdio() {
    const factory = () => makeServer(tellHere);
    if (mode !== "legacy") return serveStdio(factory, { legacy: mode === "modern" ? "reject" : "serve" });
    return factory().connect(new StdioServerTransport());
}

const sessions = new Map();

/** Sessions of the handshake era, each with a server of its own. */
async function serveSession(request, response, body) {
    const known = sessions.get(request.headers["mcp-session-id"]);
    if (known !== undefined) return known.handleRequest(request, response, body);
    const transport = new NodeStreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    transport.onclose = () => sessions.delete(transport.sessionId);
    await makeServer(tellHere).connect(transport);
    return transport.handleRequest(request, response, body);
}

function modernHandler() {
    const tellAll = async (_, uri) => {
        handler.notify.resourceUpdated(uri);
        handler.notify.toolsChanged();
    };
    const handler = sdk.createMcpHandler(() => makeServer(tellAll), { legacy: "reject" });
    return { handler, serve: toNodeHandler(handler) };
}

async function bodyOf(request) {
    const parts = [];
    for await (const part of request) parts.push(part);
    const whole = Buffer.concat(parts).toString();
    return whole ? JSON.parse(whole) : undefined;
}

function overHttp() {
    const { serve } = modernHandler();
    const listener = createServer(async (request, response) => {
        if (mode === "modern") return serve(request, response);
        if (mode === "legacy") return serveSession(request, response);
        const body = await bodyOf(request);
        const isLegacy = await sdk.isLegacyRequest(await toWebRequest(request, body ?? null));
        return isLegacy ? serveSession(request, response, body) : serve(request, response, body);
    });
    listener.listen(Number(port), "127.0.0.1");
}

way === "http" ? overHttp() : await overStdio();
