"""The commands of `hots`, one function each."""
