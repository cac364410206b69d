"""The traffic: every frame in order, and one frame whole.

panel          all parts together: `TrafficPanel`
bar            filter, pause, clear, follow, menu
filtering      from the text of the filter to a query, and what it could say next
table          the rows: following, jumping, a selection that survives filtering
row_painter    paints them
row_actions    what can be done with a row, and its menu
columns        widths and visibility of columns, and the saved arrangement
notices        state, rows that are not in view, and why there are none
unfinished     what arrived and is not a frame yet
frame_details  one frame: tree, raw text, HTTP exchange, timing, problems
http_tab timing problems    three of its tabs
"""
