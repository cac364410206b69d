"""The frames of one transcript as spans of time, by track: what the timeline shows. Knows no Qt.

arrays              spans in packed arrays, and which of them a view of some width shows
ended               requests that have ended since the last look
http_track          the track of HTTP exchanges
task_track          the track of tasks
track               the tracks, and how severe an outcome is
transcript_spans    all tracks of one transcript, built in slices while frames are added
"""
