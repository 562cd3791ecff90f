import { escapeHtml } from "./escape-html.ts";

/** Plain text as HTML: paragraphs, line breaks, and what reads as a web address is a link to it. */
export function textToHtml(text: string): string {
  const paragraphs = text
    .replaceAll("\r\n", "\n")
    .trim()
    .split(/\n{2,}/);
  return paragraphs
    .map((paragraph) => `<p>${withLinks(paragraph).replaceAll("\n", "<br>\n")}</p>`)
    .join("\n");
}

const ADDRESS = /\bhttps?:\/\/[^\s<>"]+/gi;

function withLinks(text: string): string {
  let html = "";
  let done = 0;
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = withoutPunctuation(found);
    if (!URL.canParse(address)) continue;
    const shown = escapeHtml(address);
    html += `${escapeHtml(text.slice(done, index))}<a href="${shown}">${shown}</a>`;
    done = index + address.length;
  }
  return html + escapeHtml(text.slice(done));
}

/** What ends the sentence is not the address's, nor is a bracket that the sentence opened. */
function withoutPunctuation(address: string): string {
  const opened = address.indexOf("(");
  let end = address.length;
  while (end > 0) {
    const last = address[end - 1]!;
    const isOwnBracket = last === ")" && opened !== -1 && opened < end;
    if (isOwnBracket || !/[.,;:!?'")\]}*_…»”’]/.test(last)) break;
    end--;
  }
  return address.slice(0, end);
}
