import { readHtml } from "#src/mime/read-html.ts";
import { organizationIn } from "./organization.ts";
import { plainText } from "./plain-text.ts";

/** What a page says, without what surrounds it. */
export interface PageText {
  title: string;
  description: string;
  /** Of the company, as the page's JSON-LD has it; "" where it has none. */
  organization: string;
  /** Headings, paragraphs and list items, a line each. */
  lines: string[];
  links: PageLink[];
  /** It loads scripts, which may be all that it is. */
  hasScripts: boolean;
}

export interface PageLink {
  href: string;
  text: string;
}

/** Their content is no text of the page, or belongs to every page of the site. */
const SKIPPED = new Set(
  "nav header footer script style noscript template form svg iframe object select button aside dialog".split(
    " ",
  ),
);
/** Links stand there more than anywhere. */
const LINKED = new Set(["nav", "header", "footer", "aside"]);
/** What begins a line, and how long one has to be: a short text in a box is a label, not a sentence. */
const LINES = new Map<string, number>([
  ..."h1 h2 h3 p li blockquote dd dt figcaption".split(" ").map((name) => [name, 2] as const),
  ..."div section article main td".split(" ").map((name) => [name, 40] as const),
]);

/** What one page may add to what is read, in characters and lines. */
const MAX_LINE = 600;
const MAX_LINES = 200;
const MAX_LINKS = 300;
const MAX_META = 500;
/** Of JSON-LD. */
const MAX_DATA = 64 * 1024;

/** Reads HTML of any kind, in time linear in its length; of a page that is nested too deep what comes before. */
export function readPage(html: string): PageText {
  const page: PageText = {
    title: "",
    description: "",
    organization: "",
    lines: [],
    links: [],
    hasScripts: false,
  };
  /** Elements under way whose content is left out, the outermost first. */
  const skipped: string[] = [];
  let title: string | null = null;
  let data: string | null = null;
  let line: { text: string; least: number } | null = null;
  let link: PageLink | null = null;
  const endLine = () => {
    const text = plainText(line?.text ?? "").slice(0, MAX_LINE);
    if (line !== null && text.length >= line.least && page.lines.length < MAX_LINES)
      page.lines.push(text);
    line = null;
  };
  readHtml(html, () => ({
    onopentag(name, attributes) {
      if (name === "script") {
        if (/^application\/ld\+json/i.test(attributes["type"] ?? "")) data = "";
        else page.hasScripts = true;
      }
      if (skipped.length > 0 || SKIPPED.has(name) || isHidden(attributes)) skipped.push(name);
      if (name === "a" && isFree(skipped) && page.links.length < MAX_LINKS) {
        link = { href: (attributes["href"] ?? "").slice(0, 2_000), text: "" };
        page.links.push(link);
      }
      if (skipped.length > 0) return;
      if (name === "title" && page.title === "") title = "";
      if (name === "meta") noteMeta(page, attributes);
      const least = LINES.get(name);
      if (least !== undefined) {
        endLine();
        line = { text: "", least };
      } else if (name === "br" && line !== null) line.text += " ";
    },
    ontext(text) {
      if (data !== null && data.length < MAX_DATA) data += text;
      if (link !== null && link.text.length < 200) link.text += text.slice(0, 200);
      if (title !== null && title.length < MAX_META) title += text.slice(0, MAX_META);
      else if (skipped.length === 0 && line !== null && line.text.length < 4 * MAX_LINE)
        line.text += text.slice(0, 4 * MAX_LINE);
    },
    onclosetag(name) {
      if (name === "script" && data !== null) {
        page.organization ||= organizationIn(data).slice(0, MAX_META * 2);
        data = null;
      }
      if (name === "a") link = null;
      if (name === "title" && title !== null) {
        page.title = plainText(title).slice(0, MAX_META);
        title = null;
      }
      if (skipped.length > 0) skipped.pop();
      else if (LINES.has(name)) endLine();
    },
  }));
  endLine();
  return { ...page, links: page.links.map((each) => ({ ...each, text: plainText(each.text) })) };
}

/** Whether a link here is one for visitors: not in a script, a form, or what is hidden. */
const isFree = (skipped: readonly string[]): boolean =>
  skipped.length === 0 || LINKED.has(skipped[0]!);

/** Text hidden from readers is not what the company says. */
const isHidden = (attributes: Record<string, string>): boolean =>
  attributes["hidden"] !== undefined ||
  attributes["aria-hidden"] === "true" ||
  /(display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0)/i.test(
    (attributes["style"] ?? "").slice(0, 500),
  );

function noteMeta(page: PageText, attributes: Record<string, string>): void {
  const name = (attributes["name"] ?? attributes["property"] ?? "").toLowerCase();
  const content = plainText((attributes["content"] ?? "").slice(0, 4 * MAX_META)).slice(
    0,
    MAX_META,
  );
  if (name === "description" || (name === "og:description" && page.description === ""))
    page.description = content;
}

/** Text that was sent as such: its lines. */
export const readPlainText = (text: string): PageText => ({
  title: "",
  description: "",
  organization: "",
  lines: text
    .slice(0, 64 * 1024)
    .split(/\r?\n/)
    .map((each) => plainText(each).slice(0, MAX_LINE))
    .filter((each) => each !== "")
    .slice(0, MAX_LINES),
  links: [],
  hasScripts: false,
});
