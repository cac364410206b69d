"""The page of the timeline in the bottom dock: when everything was sent and received, and how long requests took.

axis            the times above the tracks
filters         filters of the traffic for what is visible or selected here
feed            builds the spans of the tracks in slices of time while the page is visible
latency         the table of latency
latency_model   its rows
overview        the whole session as bars, with the visible part as a brush
page            the page: its bar, the tracks, the latency
pointer         the line at the pointer
scene           which marks are where, for the visible part of the session
selection       the selected span
slow_panel      the slowest requests, and what they have in common
span_text       what a span is called, on the screen and by a screen reader
ticks           round times
time_splits     how the time of requests divides
time_range      the part of the session that is visible
track_painter   paints the marks of a scene
track_rows      the tracks from top to bottom, with their heights
tracks          the tracks, with the mouse and the keyboard
"""
