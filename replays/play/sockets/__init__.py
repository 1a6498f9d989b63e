"""Parts that all sockets need: tickets, limits, the queue of frames still to be sent."""
