"""What every page that asks a server for one thing has in common, before it is sent.

column       the panel around all of it
row          the button that sends, the one that cancels, what stands in the way, the options
options      how long it is waited for, how many rounds it may take, its `_meta`
limits meta_edit     their parts
panel        the panel of a page whose list selects what is sent
headers      the HTTP headers that it will repeat of itself
"""
