"""What the transports over HTTP share. `wire` and what builds on it bring httpx, so they are imported when a connection is opened.

credentials what a request to a protected server carries
address     where to, and with what: checked before anything is sent
exposure    who else can read what a connection carries, or reach its server
heads       heads as they cross the wire
heard       what came in the place of a head
proxies     which proxy is used, and who named it
redirects   where a redirect leads, and whether it is followed
trust       certificates: which are trusted, and ours
lanes       connections side by side
wire        the client: one HTTP exchange, recorded
decoding    bodies that come compressed
answer      what came back
body        whether a body is a message
statuses    HTTP statuses in words, and what to do about each
words       failures of connections, in words
place       an event stream: how far it was read, when to ask again
link        what the exchanges of one connection share
post        one message and everything that answers it
standing    the stream for what the server sends of itself
"""
