"""Why something may be done, may not be done, or was done.

Takes: a game and an action, or a step of the trace.
Gives: the clauses for it and against it with the values found, in the words of their rules.
Never: decides what is legal: it explains what the compiled rules decided.
"""
