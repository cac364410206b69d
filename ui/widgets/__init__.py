"""Parts of the window that know nothing of the protocol.

    labels           plain text of servers; tones and backgrounds
    tool_tip units clipboard     functions over text and numbers
    buttons badge combo_boxes segmented_control collapsible_section elided_label layout_parts     small parts
    key_values outcome_line progress_line error_panel empty_state filter_field     lines and panels
    comparison_table age_line     two sides beside each other; how old something is and how long it is good
    delegates        rows of lists, trees and tables: name, secondary words, badges
    json_tree json_model json_text json_find json_view     JSON of any size as a lazy tree
    text_view text_window windowed_edit text_bar find_bar text_dialog highlight     text of any size, a window at a time
    hex_view         bytes of any size
    form/            values by schema
    save             *Save as…*, without blocking

All of them show text from a server as plain text, with control and invisible characters made visible.
"""
