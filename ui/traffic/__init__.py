"""The traffic: every frame in order, and one of them whole.

panel        all of it: `TrafficPanel`
bar          filter, pause, clear, follow, menu
hints        what a filter could say next
table        the rows: following, jumping, selection that survives
row_painter  how they are drawn
columns      widths and visibility of columns
row_menu     what can be done with a row
detail       one frame: tree, raw text, HTTP exchange, timing, problems
http_tab http_words timing problems    three of its tabs
"""
