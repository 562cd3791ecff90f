import { Parser } from "htmlparser2";

interface Tag {
  name: string;
  attributes: Record<string, string>;
  /** Offsets of the opening tag in the source, end exclusive. */
  start: number;
  end: number;
}

const removed = new Set([
  "script",
  "iframe",
  "frame",
  "object",
  "embed",
  "base",
  "link",
  "template",
]);

/** Addresses of what the message would have a mail client load: http(s) images, each once. */
export function imageUrls(html: string): string[] {
  return [...new Set(openTags(html).flatMap((tag) => imageOf(tag)?.url ?? []))];
}

/** Addresses that a reader can click: http(s) links of the HTML and of the text, each once. */
export function linkUrls(message: { html: string; text: string }): string[] {
  const links = openTags(message.html).flatMap((tag) => linkOf(tag) ?? []);
  return [...new Set([...links, ...textLinks(message.text)])];
}

/** http(s) addresses in plain text, without the punctuation that ends a sentence. */
export function textLinks(text: string): string[] {
  return (text.match(/https?:\/\/[^\s<>"]+/gi) ?? []).map((url) =>
    url.replace(/[.,;:!?'"»)\]]+$/, ""),
  );
}

export interface DisplayTargets {
  link(url: string): string;
  image(url: string): string;
  attachment(contentId: string): string | undefined;
}

/**
 * The HTML as the page shows it: links and images lead to the given targets,
 * and what a mail client never runs is taken out. The frame's sandbox and its
 * content policy are what keeps it harmless; this keeps it quiet.
 */
export function displayHtml(html: string, targets: DisplayTargets): string {
  const edits: { start: number; end: number; text: string }[] = [];
  for (const tag of openTags(html, (start, end) => edits.push({ start, end, text: "" }))) {
    const replaced = displayTag(tag, targets);
    if (replaced !== null) edits.push({ start: tag.start, end: tag.end, text: replaced });
  }
  let shown = "";
  let at = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (edit.start < at) continue;
    shown += html.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return shown + html.slice(at);
}

function displayTag(tag: Tag, targets: DisplayTargets): string | null {
  if (tag.name === "meta" && tag.attributes["http-equiv"] !== undefined) return "";
  if (tag.name === "a" || tag.name === "area") {
    const href = tag.attributes["href"];
    if (href === undefined || href.startsWith("#")) return null;
    const url = linkOf(tag);
    const { href: _, target: __, ping: ___, ...others } = tag.attributes;
    if (url === null) return openTag(tag.name, { ...others, title: href });
    return openTag(tag.name, { ...others, href: targets.link(url), target: "_top", title: url });
  }
  const image = imageOf(tag);
  if (image !== null) {
    const { srcset: _, ...others } = tag.attributes;
    return openTag(tag.name, { ...others, [image.attribute]: targets.image(image.url) });
  }
  const inline = tag.name === "img" ? /^cid:(.+)$/i.exec(tag.attributes["src"] ?? "") : null;
  const attachment = inline?.[1] === undefined ? undefined : targets.attachment(inline[1]);
  return attachment === undefined
    ? null
    : openTag(tag.name, { ...tag.attributes, src: attachment });
}

function linkOf(tag: Tag): string | null {
  return tag.name === "a" || tag.name === "area" ? webUrl(tag.attributes["href"]) : null;
}

function imageOf(tag: Tag): { attribute: "src" | "background"; url: string } | null {
  const attribute = tag.name === "img" ? "src" : "background";
  const url = webUrl(tag.attributes[attribute]);
  return url === null ? null : { attribute, url };
}

/** Trims as browsers do (WHATWG URL); null for what is not http(s). */
function webUrl(value: string | undefined): string | null {
  const trimmed = value?.trim().replace(/[\t\r\n]/g, "") ?? "";
  return /^https?:\/\//i.test(trimmed) ? trimmed : null;
}

function openTags(html: string, onRemoved?: (start: number, end: number) => void): Tag[] {
  const tags: Tag[] = [];
  const open: { name: string; start: number }[] = [];
  const parser = new Parser({
    onopentag(name, attributes, isImplied) {
      if (isImplied) return;
      const { startIndex: start, endIndex } = parser;
      if (removed.has(name)) open.push({ name, start });
      else tags.push({ name, attributes, start, end: endIndex + 1 });
    },
    onclosetag(name) {
      if (open.at(-1)?.name !== name) return;
      const start = open.pop()?.start ?? 0;
      onRemoved?.(start, Math.max(parser.endIndex + 1, start));
    },
  });
  parser.end(html);
  return tags;
}

function openTag(name: string, attributes: Record<string, string>): string {
  const written = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${value.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"`,
  );
  return `<${name}${written.join("")}>`;
}
