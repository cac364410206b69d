"""Every frame of one session, and what is derived from it. `transcript` is the whole.

annotations          what the user adds to frames: marks, comments, the time reference; and which messages the user edited
annotation_storage   where annotations are kept: in the recording, or in a file beside it
batch_writer         frames on the way to the file: written in batches, and kept in memory within a budget
correlator           links messages to requests: the first pass over a transcript, in order
event_effects        notes of Spyglass that change the state of a request or of the connection, live and in recordings
exchange             one request and everything that belongs to it: its state, its rounds, and what else was received meanwhile
frame_contents       the bytes of frames: in memory the latest and one large one, all others in the file
frame_processor      what is derived from frames in their order: live in batches, of a recording in pages
findings             findings by frame, the counts of a transcript, and the probes, whose findings do not count
http_exchange        what belongs to one HTTP exchange: its requests and what came back, in the order of the wire
index                the packed index of all frames
index_cache          what was derived from recordings, kept so that opening one again takes a moment
kept_messages        what was read of large messages, so that it is not read again on the loop
large_frames         frames of many megabytes, read and decoded in a thread
latency              how long requests took, by method and tool: percentiles, exact or of a histogram, and the course over time
operation_folds      what folds with what among the rows of operations
operation_rows       the frames as operations: one row for each exchange that the client started, with all that belongs to it beneath
operation_tasks      which request created a task that others name
operation_time       how the time of an operation divides into queue, network, server and user
operation_tree       which frame is folded beneath which, packed
plain_messages       messages that leave nothing to decide, read and linked in a third of the time
plain_pages          rows of a recording with nothing remarkable about them, many together and column by column
quick_fields         the few members of a message that show what it belongs to, found without reading the rest
read_only_database   an SQLite file from anywhere, read without trusting it
recording_file       the file of a transcript: SQLite, append-only, one file a session
recording_loader     filling a transcript from a recording: a thread reads, the loop takes in short slices, and it can be stopped at any time
recording_reader     reads a recording, which may come from anywhere and contain anything
recording_schema     which tables a file from anywhere has: whether it is a recording, and in what form
table_checks         whether a table of such a file can be read safely
redaction            transcripts without their secrets: what is written to the disk, and what leaves Spyglass (copies, exports, printed text)
stored_rows          rows of a recording as frames; and the report of what could not be read
text_search          text patterns: text in raw bytes, and patterns of names
transcript           the append-only transcript of one session: every frame in order, and what is derived from them
unfinished           received bytes that are no frame yet, because the newline or the blank line at the end is missing
rule_findings        the findings of one rule: how many there are, and those that are kept
request_links        the requests by the ids and tokens that name them, and what the index notes of what belongs to one
shared_traits        what the slowest requests of one kind have in common
spans                the frames as spans of time, by track, for the timeline
filter               the filter language of the traffic: parsing, suggestions, and what a filter selects
"""
