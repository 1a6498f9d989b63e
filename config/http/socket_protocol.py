from __future__ import annotations

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol


class SocketProtocol(WebSocketsSansIOProtocol):
    """uvicorn's protocol ``websockets-sansio``, whose shutdown also comes through with sockets that are just closing."""

    def shutdown(self) -> None:
        """Close the socket with 1012, unless it is closing already.

        uvicorn 0.54 raises ``InvalidState`` for a socket that its browser has closed and that has bytes left to send; the
        server then ends at once, and all other sockets end without a word.  Anybody can bring that about: send a closing
        frame and read nothing.
        """
        if not self.transport.is_closing():
            super().shutdown()
