"""What the transports over HTTP share. `client` and what builds on it bring httpx, so they are imported when a connection is opened.

config            URL, headers and files, validated before anything is sent; who else can read or reach the connection
credentials       what the transports know of authorization: headers of a request, and what a refusal means
connection        what the exchanges of one connection share; the base of both transports
client            one HTTP exchange, recorded
connection_pool   connections side by side
header_recorder   header blocks as they are sent and received; the first bytes of what is not HTTP
proxies           which proxy is used, and who named it
redirects         where a redirect leads, and whether it is followed
tls               certificates, and errors of TLS
response          the response of one exchange, and its compressed body
body              whether a body is a JSON-RPC message
statuses          errors from HTTP statuses, with hints
refusals          hints from the body and the headers of an error response
errors            errors from exceptions of httpx
event_stream      an event stream, resumed over several responses
post              one message and everything that responds to it
edited_request    one request with edited headers, which has no effect on the session
server_stream     the stream for messages that respond to no request
legacy_endpoint   the event stream of HTTP+SSE
"""
