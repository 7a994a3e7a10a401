"""The language server: what editors show of rulesets and cases, over the Language Server Protocol.

Takes: the messages of an editor on standard input; the files of the folder that is open there.
Gives: faults and fixes, names and their places, completions, hints and lenses, on standard output.
Never: reads or writes a file outside the open folder and the library, or decides what a rule means.
"""
