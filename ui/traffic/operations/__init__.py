"""The traffic as operations: one row for each exchange that the client started, with all that belongs to it beneath.

cells           what a row shows: texts, tones, its time split
columns         the columns
details         one operation whole: request, response, sequence, problems, and how its time divides
feed            from a timeline to rows, as frames arrive, in slices
message_view    the request or the response as a tree
matched_rows    which rows at the top a filter selects, found in slices
mode            all of it, as one page of the panel
model           the rows, for Qt
row_cells       the cells of the rows that were looked at lately
row_marks       the marks and the colors of rows
run_divider     the row with which a run begins: when, why, and what is not as in the run before
row_painter     draws them: chevrons, guide lines, names in two weights, time splits
run_strip       the line above the rows that names the run of the top row
sequence        the frames of one operation as a list, with times relative to its request
split_bar       how the time of an operation divides, as a bar with a legend
table           the rows on screen, and their keys
visible_rows    which operations, and which of the rows beneath them, are rows
"""
