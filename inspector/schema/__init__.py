"""JSON Schema: validation of exact JSON values, and what a form needs to know of a schema. Knows neither servers nor widgets.

    validate          what of a value breaks a schema, and where; built on `compile_schema`
    compile_schema    a compiled schema, even if parts are invalid; nothing is loaded from anywhere
    complexity        how much work a schema can make
    problem_text      the text of each kind of error
    resolve merge     references and `allOf` resolved: one flat set of keywords
    conditions        which parts of a schema hold for a value now: `if`, what depends on a key
    key_rules         which keys of an object go together, as text; `key_formula` has the rule itself
    example           an example of what a schema describes, to begin with
    json_input        JSON as a user types it, and exact values as the validator needs them
    json_edit         edits on an exact JSON value; absent, null and empty are three things

Nothing here raises, for any schema and any value.
"""
