"""The engine of Spyglass: full client sessions with MCP servers, recorded to the byte. It imports no Qt.

Map
    errors  event  clock  frozen  finding  rules  json_value  version  background_tasks  visible_text   used everywhere
    inbox          server requests that wait for the user
    wire           bytes to frames to JSON-RPC messages; pure, never raises on foreign input
    spec           what the revisions of the protocol say, as data and pure functions; the only place with dates
    schema         JSON Schema: where a value violates a schema; the exact JSON text of edited values
    transcript     every frame of one session, on disk, and what is derived from it
    transport      moves frames; one file per kind
    auth           authorization: from a refused request to a token
    session        one conversation with one server: peer, protocol mode, negotiation, pagination
    checks         rules over transcript and specification that yield findings
    probes         requests that are sent on purpose, to see how a server handles mistakes; one file per probe
    features       what a user can do with a server; one file per feature
    config         what is saved (profiles, settings, secrets), and importers of other clients' configurations
    demo           the server that ships with Spyglass
    authorizers    the authorization of each protected server
    runs           the connections of one server, one after the other
    run_comparison  how a server differs from what it was in the run before
    open_session   a session with what can be done in it, and the client as its server sees it
    workspace      everything that is open at once
    recorded_session   what a recording shows of a session: its lists and calls, for the pages
    compare        what differs between two messages, results, texts, or runs
    export         recordings and requests in the formats of other tools
    imports        files of other tools as recordings
    cli  __main__  the engine without a window

Imports go down this order only:
    __main__ > cli > recorded_session > workspace > open_session > authorizers > run_comparison > runs > probes > features | config > session | checks > auth | export | imports | compare > transport | transcript | demo >
    schema > spec > wire > inbox > rules > finding > errors event clock frozen json_value version background_tasks visible_text

Glossary
    FrozenStruct  plain immutable data: named fields, compared by value.
    Frame         bytes as they were sent or received: direction, channel, time, content. Never edited.
    Message       a frame decoded as JSON-RPC: request, response, notification, batch or invalid message.
    View          a tolerant typed reading of a message's params or result; keeps what it does not know.
    Transcript    every frame of one session, in order; append-only. On disk it is a recording.
    Exchange      a request with all that belongs to it: response, progress, cancellation.
    Operation     what the user started (a call, a read), from click to end; it may take several requests.
    Finding       a violation or oddity on the wire: rule, severity, summary, pointer, link. Data, never an exception.
    Revision      one of the dated specifications. Era: stateful (with a handshake) or stateless.
    Session       one conversation with one server. Profile: how to reach a server. Run: one of several sessions with the same server.
    InboxItem     a server request that waits for the user. Inbox: the ordered list of them.
    Peer          the server, as something that requests are sent to. Step: a visible part of connecting.
"""
