"""The page of the problems in the bottom dock: what the rules found in the latest run, in groups that unfold.

source        whose findings are displayed, and how many rules found something; there before the page is made
selection     which findings are displayed, and in which groups
subjects      what a finding is about: a tool, another item of a list, or a method
groups        the findings in groups, by rule, tool or frame, filtered and in a stable order; knows no Qt
feed          reads new findings into the groups, in slices of time
columns       the columns of the table
cells         texts of its rows
model         its rows, one after the other
row_painter   how they are drawn
table         the table: folding, and the keys
bar           filter, severities, grouping, and what is muted
mute_dialog   the muted rules of the server, and where they are kept
page          the whole
"""
