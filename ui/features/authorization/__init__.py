"""The page *Authorization*: the steps of getting in as a ladder, one of them whole, and the tokens that came of them.

Map
    page            the tab
    step_transcripts     in which recording each step stands
    empty_texts     what it says where there is nothing to authorize
    ladder_rows     the steps of a flow, done and to come, as rows: pure
    ladder_model ladder_columns ladder_delegate ladder     the rows on screen
    flow_runner     runs a flow, a step at a time or to its end
    command_bar     what can be done with the flow
    step_detail     one step: notice, request and response, checks
    step_notice check_list exchange_view message_text     its parts
    tokens_panel token_rows token_detail token_commands     the client and its tokens
"""
