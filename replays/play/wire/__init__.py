"""The binary messages of the sockets; `docs/play-protocol.md` describes every byte."""
