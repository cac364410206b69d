"""Reaching servers: the list of them, the editor of one, and the steps of connecting.

    servers_panel servers_model servers_delegate server_actions state_styles     the dock
    editor paste_box profile_form row_edits form_fields command_preview     adding and correcting
    connection_fields     certificates and proxy, in a section of the form
    authorization_fields     how the server is authorized, in a section of the form
    steps_view step_row     connecting as it happens
    authorization_need authorization_panel     the login that connecting needs
    notice_bar     a question or an undo, in place

Everything foreign (names, commands, what a server printed) is shown as plain text.
"""
