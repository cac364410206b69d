"""Reaching servers: the list of them, the editor of one, and the steps of connecting.

    servers_panel servers_model states     the dock
    editor paste_box checklist profile_form row_edits will_run     adding and correcting
    connection_fields     certificates and proxy, in a fold of the form
    authorization_fields secret_edit     how the server is authorized, in a fold of the form
    steps_view step_row     connecting as it happens
    authorization_panel authorization_state     the login that connecting needs
    notice_bar     a question or an undo, in place

Everything foreign (names, commands, what a server printed) is shown as plain text.
"""
