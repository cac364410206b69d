"""What the revisions say: data and pure functions.

The only place with revision dates. Light to import: pydantic and the official models are imported by `validation` alone.

    revision.py              the five revisions, facts by name
    methods.py               which requests and notifications a revision has, who sends them, what they need; the row type is in
                             method.py, the rows are in requests.py and notifications.py
    capabilities.py          tolerant reading of declared capabilities; the rows are in capability_table.py
    keys.py                  reserved `_meta` keys, header names, content types
    error_codes.py           every error code, with its hint; error_details.py has the error of a response beside its request
    spec_urls.py             links to the specification, by topic and revision
    pointer.py json_types.py JSON Pointers; the names of JSON types
    view.py                  tolerant reading of one JSON object
    views/                   the typed readings, one file for each kind of message or definition
    media_types.py           base64, and the media type of bytes
    image_damage.py          damage in the middle of a PNG or JPEG file
    mirrored_headers.py      arguments that are repeated in HTTP headers
    decodings.py             what a value stands for: base64, JSON in a string, tokens, URLs, times
    subschemas.py            the schemas inside a schema
    validation.py            findings for one message, from the following modules
    refusal_texts.py         what servers say that miss a session, the handshake or a revision
    jsonrpc_rules.py         JSON-RPC and the revision, checked by hand
    mcp_types_validator.py   the official validators; schema_errors.py makes findings of their errors
    field_availability.py    members that a revision does not have yet, or no longer has
    tasks.py, task_…_rules   tasks in both designs
    subscription_filter.py   the filter of a notification stream, and what is wrong with messages on it
    findings.py              findings of the rules in `inspector.rules`
"""
