"""The server that ships with Spyglass: `python -m inspector.demo`, over stdin and stdout or over HTTP.

It shows every feature of every revision, in sessions that are opened with `initialize` and in requests that stand alone, and
misbehaves on request. It is a program of its own that happens to live here: besides the standard library it imports `inspector.spec.revision`, the JSON
types of `inspector.wire.json_codec` and `inspector.frozen` alone, so that it starts at once and shares few mistakes with the engine that it exercises.
What signs tokens (joserfc) and makes certificates (cryptography) is loaded only by a run that needs it.

    __main__.py      the beginning and the end
    options.py       what can be different, and command_line.py, which says so
    server.py        reads lines, runs what they ask for, answers
    methods.py       every request but those that take their time; calls.py has `tools/call`, listeners.py the announcements
    lifecycle.py     who we are, what we can, which revision
    conversation.py  what one client agreed with us: revision, level, subscriptions
    stateless.py     the same for a request that stands alone; discovery.py says what it may expect, meta.py has the keys
    state.py         what outlives a request: the notebook, what was added to the lists, who listens
    server_requests.py  requests of this server, waiting for the client
    embedded_inputs.py  the answers that a request brings along instead; request_state.py seals what it keeps for the server
    call.py          what a running tool can do: progress, logs, questions, waiting
    tasks.py         calls that run as tasks; task_faults.py breaks their rules
    extension_tasks.py  the same as an extension; extension_task_faults.py breaks the rules
    writer.py        the only place that writes bytes; over HTTP that is http_session.py
    http_server.py   streamable HTTP and HTTP+SSE; http_session.py is one client, with http_streams.py and http_wire.py
    certificate.py   a certificate for TLS, made for one run
    auth/            authorization, on request: what protects the endpoint, and the issuer of its tokens
    http_exchange.py one request that stands alone, over HTTP; headers.py checks what its headers repeat
    malformed.py     a proper response, turned into malformed bytes
    request_errors.py   how a request ends without a result
    revision_filter.py  leaves out what the agreed revision does not have
    paging.py        lists in pages
    tool.py tools/   the tools, one theme a file
    resources.py library.py notebook.py   what can be read, and what is in it
    prompt.py prompts.py completion.py    what can be filled in, with suggestions
    content.py samples/                   content blocks, and what is in them
    conformance/                          what the official conformance suite expects, on request
    schema.py check.py arguments.py       describing, checking and reading arguments
"""
