"""Writers of binary replay formats, for tests only: what they write, the readers must give back."""
