"""The traffic: every frame in order, and one frame whole.

panel          all parts together: `TrafficPanel`
bar            filter, number of rows, pause, follow, details, clear, menu
filtering      from the text of the filter to a query
filter_terms   terms that narrow the filter by a frame, a cell or a value in a message
filter_hints   how a term of the filter can go on, and filters used before
hint_list      the list below the filter that shows them
saved_filters  saved filters: links in the bar, and colors of rows
saved_filter_dialog  the dialog for them
table          the rows: jumping, a selection that survives filtering
divider_links  links in the rows with which runs begin
mode_switch    whether the rows are messages or operations
operations/    the rows and the details of operations
detail_split   where the details are: beside, below or instead of the rows
row_actions    what can be done with a row, and its menu
annotating     marks, comments and the time reference of frames; going to the next mark, error or finding
comment_dialog the dialog for a comment
row_search     finds the next row that matches a query
arrangement    the saved arrangement: columns, details, choices
notices        how many rows there are and are hidden, rows that are not in view, and why there are none
unfinished     what arrived and is not a frame yet
large_frame    reads a frame of many megabytes before it is shown
detail_header  the line at the top of the details
frame_details  one frame: tree, raw text, bytes, HTTP exchange, timing, problems
message_tree   the tree of a message, and under it what the selected value stands for
tree_and_text  keeps the tree and the raw text at the same value
finding_underlines  underlines in both what findings are about
initiator      who began a frame, its operation, and how the time of its HTTP request divides
http_tab timing problems    three of its tabs
"""
