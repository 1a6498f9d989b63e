"""What all sockets need: tickets, limits, the queue of what is still to be sent."""
