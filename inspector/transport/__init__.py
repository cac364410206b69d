"""Moves frames; one file a kind. The rows of the kinds are in `inspector/session/transport_factory.py`.

base              what every transport offers, and what it reports
command           finds the program of a command, and explains why it cannot be started
large_messages    decodes large messages before they are recorded, in a thread where that takes long
legacy_sse        HTTP+SSE, the transport before Streamable HTTP: one event stream for every message of the server, POSTs for those of the client
line_reader       cuts what one pipe or socket receives into lines for the sink
process_end       waits for the end of a process, by a time that passes only while it could end
process_group     a child and every process it starts, ended together: a process group on POSIX, a job on Windows (C-STD-09)
stdio             a server as a child process, over its standard streams
streamable_http   streamable HTTP: every message is a POST of its own; the response is JSON or an event stream
tcp               messages over a TCP connection, one per line, as over standard streams
windows_job       a process and every process it starts as a Windows job, which ends them together
http              what the transports over HTTP share
"""
