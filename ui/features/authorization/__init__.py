"""The page *Authorization*: the steps of an authorization as a ladder, one of them in full, and the tokens that it obtained.

Map
    page empty_texts     the tab, and what it says without an authorization
    content         what it shows of an authorization, made when the page is shown
    panes           how the parts divide the room of the page
    ladder_rows     the steps of a flow, done and to come, as rows: pure
    ladder ladder_delegate     the rows on screen
    flow_runner     runs a flow, a step at a time or to its end
    step_transcripts     which recording has each step
    command_bar     what can be done with the flow
    step_detail     one step: notice, request and response, checks
    step_notice exchange_view message_text     its parts
    tokens_panel token_detail token_commands     the client and its tokens
"""
