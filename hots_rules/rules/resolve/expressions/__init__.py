"""Expressions: from the syntax tree to the typed tree.

`Scope` holds the names of one place and the rules of type agreement; a module for each family of
expressions works on it; `ExpressionResolver` is the scope that calls them by the form of a node.
"""
