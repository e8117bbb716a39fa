import os
import sys

sys.path.insert(0, os.path.abspath("."))
project = "Sphinx"
extensions = ["myst_parser", "rollplay"]
rollplay_site = "https://rollplay.example/"
html_theme = "alabaster"
suppress_warnings = ["myst.header"]
