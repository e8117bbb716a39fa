"""Kubernetes rollouts that readers can play, in Sphinx.

Put this file beside conf.py, and into conf.py:

    import os, sys
    sys.path.insert(0, os.path.abspath("."))
    extensions = ["rollplay"]
    rollplay_site = "https://rollplay.example/"  # with a slash at its end

Then, in reStructuredText (in MyST: ```{rollplay} first-rollout):

    .. rollplay:: first-rollout
       :panels: why,pods

    .. rollplay:: https://rollplay.example/#1.…
       :title: What happens to ten replicas

    .. rollplay::

       apiVersion: apps/v1
       …

A code block in the language "rollplay" becomes an embed, too.
"""

from html import escape

from docutils import nodes
from docutils.parsers.rst import Directive, directives
from pygments.lexers.data import YamlLexer

OPTIONS = ("height", "lang", "layout", "panels", "picture", "poster", "sandbox", "speed", "theme", "title")


class embed(nodes.General, nodes.Element):
    """The element around what readers see without JavaScript, and in other formats than HTML."""


class Rollplay(Directive):
    optional_arguments = 1
    has_content = True
    option_spec = {**{name: directives.unchanged for name in OPTIONS}, "autoplay": directives.flag}

    def run(self):
        attributes = {name: value or "" for name, value in self.options.items()}
        if not self.arguments:
            return self.with_yaml(attributes)
        run = self.arguments[0]
        attributes["src" if "#" in run else "scenario"] = run
        return [embed("", self.link(run), attributes=attributes)]

    def with_yaml(self, attributes):
        if not self.content:
            raise self.error("rollplay needs the name of a scenario, a link, or YAML below it")
        yaml = "\n".join(self.content)
        return [embed("", attributes={**attributes, "yaml": yaml}), nodes.literal_block(yaml, yaml, language="yaml")]

    def link(self, run):
        site = self.state.document.settings.env.config.rollplay_site
        title = self.options.get("title", run if "#" not in run else "A Kubernetes rollout")
        if "#" in run:
            return nodes.paragraph("", "", nodes.reference("", title, refuri=run))
        picture = nodes.image(uri=f"{site}posters/{run}-light.svg", alt=title)
        return nodes.reference("", "", picture, refuri=f"{site}#s={run}")


def visit_html(self, node):
    attributes = "".join(f' {name}="{escape(value)}"' for name, value in node["attributes"].items())
    self.body.append(f"<rollplay-embed{attributes}>")


def depart_html(self, node):
    self.body.append("</rollplay-embed>\n")


def nothing(self, node):
    pass


def add_script(app):
    app.add_js_file(app.config.rollplay_site + "embed/v1/host.js", loading_method="async")


def setup(app):
    app.add_config_value("rollplay_site", "", "html")
    app.add_directive("rollplay", Rollplay)
    app.add_node(embed, html=(visit_html, depart_html), latex=(nothing, nothing), text=(nothing, nothing), man=(nothing, nothing), texinfo=(nothing, nothing))
    app.add_lexer("rollplay", YamlLexer)  # a code block in this language is highlighted as YAML
    app.connect("builder-inited", add_script)
    return {"version": "1.0", "parallel_read_safe": True, "parallel_write_safe": True}
