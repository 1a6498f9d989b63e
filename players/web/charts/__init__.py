"""Charts as SVG, drawn on the server without scripts; colours come from the style sheet.

Only numbers and escaped texts are written into the markup, and classes instead of styles, as the content security policy
wants it.  Pages scale a chart to the width of the column.

``axes``  ranges, ticks and places; ``plot``  a frame with axes and what is drawn into it; ``steps``  a value over time.
"""
