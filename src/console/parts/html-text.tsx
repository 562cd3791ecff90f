import { h, type ComponentChildren } from "preact";
import { htmlNodes, type HtmlNode } from "../pure/html-nodes.ts";

/** A mail's HTML, drawn by elements of our own: no markup of it reaches the page. */
export function HtmlText({ html }: { html: string }) {
  return <div class="mail">{htmlNodes(html).map(draw)}</div>;
}

function draw(node: HtmlNode, key: number): ComponentChildren {
  if (typeof node === "string") return node;
  const { tag, href, children } = node;
  // A link of a preview leads to another tab; headings are of the mail and not of the page.
  const link = href === undefined ? {} : { href, target: "_blank", rel: "noopener noreferrer" };
  const shown = /^h[1-6]$/.test(tag) ? "strong" : tag;
  return h(shown, { key, ...link }, ...children.map(draw));
}
