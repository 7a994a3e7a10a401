"""From the module of a machine to an integer program, with proven ranges and indexes."""
