"""Parts of the window that know nothing of the protocol.

    units clipboard save     numbers as text, the clipboard, *Save as…* without blocking
    labels           labels and tooltips for text from a server; tones and backgrounds
    buttons          buttons, links, and the keys that press the main button
    layout_parts     lines, reserved widths, areas that scroll, sizes of dialogs
    badge badge_row combo_boxes segmented_control toggle_button collapsible_section     small parts
    notice dialog_parts     notices; sizes, titles and feet of dialogs
    heading          name, badges and description of what is selected
    fact_line page_heading     facts on a line that is always in sight
    splitter side_by_side     parts that are dragged; two panes, one above the other where there is little width
    key_values outcome_line steady_label error_panel empty_state filter_field     lines and panels
    comparison_table     two sides beside each other
    difference_model difference_view     a difference as lines: two columns with signs, or one
    list_parts delegates title_and_name     lists with a filter, and their rows: name, secondary text, badges, signs
    freshness        age and lifetime of a result
    json_tree json_model json_node json_text json_view     JSON of any size as a lazy tree
    text_view text_window text_bars     text of any size, a window at a time
    underlines       waves beneath values and parts of a text
    hex_view         bytes of any size
    argument_fields suggest_edit     strings with suggestions
    field_label type_hint     labels of fields, and their types inside
    answer_views history_box flow_layout     parts of the panels that show results
    form/            values by schema

All of them show text from a server as plain text, with control and invisible characters made visible.
"""
