"""JSON Schema: values validated by a schema, and the exact values that it is about. It knows no server and no widget.

    validate          what of a value breaks a schema, and where; built on `compile_schema`
    compile_schema    a schema made ready, even if parts of it are wrong; nothing is loaded from anywhere
    complexity        how much work a schema can make
    problem_text      what the validator found, in words
    resolve merge     references and `allOf` resolved: one flat set of keywords
    conditions        which parts of a schema hold for a value now: `if`, what depends on a key
    key_rules         which keys of an object stand together, in words; `key_formula` has the rule itself
    json_input        JSON as a user types it, and exact values as the validator needs them
    json_edit         edits on an exact JSON value; absent, null and empty are three things

Nothing here raises on a schema or a value, whatever it is.
"""
