"""One conversation with one server. `session` is the whole; `peer` sends and receives; `connector` opens.

connector              connects to a server: carries out what `negotiation.py` decides, each attempt in a step
discovery              `server/discover`: sent as the first message to detect the era, or because the user pinned a stateless revision
era_cache              the era of a server as an earlier connection found it: the next one starts with it, and corrects it
error_responses        responses that are not results, of JSON-RPC and of HTTP
handshake_wait         the wait for the first responses of a server, its start included
inbound                requests of the server, each served in a task of its own
inbox_requests         puts requests of the server into the inbox, and withdraws them when the server no longer waits for the response
link                   the connections of one session: one at a time, each opened in a step
multi_round_trip       multi round-trip requests: input requests in a result go to the same responders as requests of the server
negotiation            which revision to ask for, and what to try next
notification_stream    one notification stream: a request whose response ends it, and the notifications tagged with its id
notification_streams   subscribing to changes, by the way that the revision has
operation              what the user started (a tool call, a prompt, a read), from click to end, and the history of such operations
outgoing               requests of the client: their limits, as a feature sends them, while a response is pending, and what the next one will carry
package_runner         programs that download what they run: `npx`, `uvx`, `docker run` and their kin
paginated_list         a list that a server gives page by page, kept fresh: what tools, resources, templates and prompts have in common
paginator              the pages of a list, requested one after the other
list_changes           how a list differs from what was read before
peer                   requests and responses over frames: ids, pending requests and their limits
placeholders           placeholders in configuration: texts that another client, or the user, is expected to replace
protocol_mode          the interface of the two protocol modes: `stateful.py` and `stateless.py` speak one era each
run                    one of several connections of a server, and why it began
session                one session with one server, from the first connection step to the last frame
session_recovery       what a session does when its server was away: a new MCP session instead of an expired one, and discovery after an interruption
stateful               the stateful era: a handshake first, then requests in both directions until the connection ends
stateless              the stateless era: no handshake, every request carries its revision and the capabilities of the client
steps                  the connection steps of one session
task_inputs            input requests of tasks: responded to like server requests, and sent back by a request of its own
task_poller            polls the tasks that the server runs, from their creation to their result
task_record            one task as this session knows it, whichever side runs it and whichever design of tasks it belongs to
task_registry          the tasks that the server runs for us, as far as this session has heard of them
transport_factory      the kinds of transport: one row each, from which every table about transports derives
diagnostics            why a server cannot be reached or does not respond: the reason as a clause, the hint, and the frame that shows it
"""
