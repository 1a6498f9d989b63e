"""The queue of reports, decisions about them, bans and appeals, and what people are told of decisions."""
