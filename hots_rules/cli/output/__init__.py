"""What commands and the prompt print."""
