"""From numbers to specifications of Vega-Lite; nothing is drawn here."""
