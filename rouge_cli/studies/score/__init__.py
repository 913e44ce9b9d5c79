"""The study ``score``: its reports, figures and pages."""
