"""The prompt of `hots repl` and `hots play --side`."""
