"""Games for programs in other languages.

Takes: states, actions, games, records, errors; JSON from strangers.
Gives: JSON with versioned schemas, the types of TypeScript, a corpus of games to test against.
Never: decides a rule, plays by itself, or takes a message that its schema does not allow.
"""
