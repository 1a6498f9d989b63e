"""Charts as SVG, drawn on the server without scripts; colours come from the style sheet.

Only numbers and escaped texts are written into the markup, and classes instead of styles, as the content security policy
wants it.  A chart fills its frame; the page gives the size.

``axes``  ranges, ticks and places; ``plot``  a frame with axes and what is drawn into it; ``step_chart``  a value over time.
"""
