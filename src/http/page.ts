import { escapeHtml } from "#src/mime/escape-html.ts";
import type { AppContext } from "./context.ts";

/** No cache may store the page, no search engine may list it, and a link's target learns nothing of the token. */
export const QUIET = {
  "Cache-Control": "no-store, private",
  "Referrer-Policy": "no-referrer",
  "X-Robots-Tag": "noindex",
};

/** A page for people who follow a link in a mail: a title, a few words, perhaps a button. `content` is HTML. */
export function page(
  c: AppContext,
  status: 200 | 400 | 404,
  title: string,
  content: string,
): Response {
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:15vh auto;padding:0 1rem;color:#222}button{font:inherit;padding:.5rem 1rem}</style></head>
<body><h1>${escapeHtml(title)}</h1>${content}</body></html>`;
  return c.html(html, status, {
    ...QUIET,
    "Content-Security-Policy":
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
  });
}
