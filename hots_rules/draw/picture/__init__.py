"""Pictures as SVG and HTML."""
