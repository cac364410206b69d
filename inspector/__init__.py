"""The engine of Spyglass: full client sessions with MCP servers, recorded to the byte. It imports no Qt.

Map
    errors event clock fact finding json_value rule_titles version time_slices background_tasks visible_text   the floor everything stands on
    ask            questions for the person, and the list of the open ones
    wire           bytes to frames to JSON-RPC messages; pure, never raises on foreign input
    spec           what the revisions of the protocol say, as data and pure functions; the only place with dates
    schema         JSON Schema: what of a value breaks a schema; the exact values that it is about
    transcript     the record of a session and what is derived from it
    export         frames in other formats, for copies and files
    transport      moves frames; one file a kind
    auth           authorization: from a refused request to a token; what transports send to be let in
    session        holds a conversation: peer, era, negotiation
    checks         rules over record and specification that yield findings
    features       what a person can do with a server; one file each
    config         what is saved (profiles, settings, secrets), and importers of other clients' configurations
    demo           the server that ships with Spyglass
    authorizers    what lets us in to each protected server
    runs           the connections of one server, one after the other
    workspace      everything that is open at once
    cli __main__   the engine without a window

Imports go down this order only:
    __main__ > cli > workspace > authorizers > runs > features | config > session | checks > auth | export > transport | transcript >
    schema > spec > wire > ask > finding > errors event clock fact json_value rule_titles version time_slices background_tasks visible_text

Words
    Fact         plain frozen data: named fields, compared by value.
    Frame        bytes as they crossed the wire: direction, channel, time, content. Never edited.
    Message      a frame read as JSON-RPC: request, response, notification, batch or malformed.
    View         a tolerant typed reading of a message's params or result; keeps what it does not know.
    Transcript   the append-only record of one session, on disk. The single truth.
    Exchange     a request with all that belongs to it: response, progress, cancellation.
    Finding      something wrong or odd on the wire: rule, severity, words, place, link. Data, never an exception.
    Revision     one of the dated specifications. Era: stateful (with a handshake) or stateless.
    Session      one conversation with one server. Profile: how to reach a server. Run: one of several sessions with the same server.
    Ask          a question of the server for the person. Inbox: the ordered list of the open ones.
    Peer         the other side, as something that can be asked. Step: a part of connecting.
"""
