"""What the page asks of the library, answered in the browser.

Takes: requests of the page, as JSON; the texts of the folder that is open there.
Gives: faults, colours, completions; a game; answers to questions, as JSON.
Never: touches the page, or knows that it runs in a browser.
"""
