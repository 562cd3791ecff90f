import { escapeHtml } from "#src/mime/escape-html.ts";
import type { AppContext } from "./context.ts";

/** No cache may store the page, no search engine may list it, and a link's target learns nothing of the token. */
export const QUIET = {
  "Cache-Control": "no-store, private",
  "Referrer-Policy": "no-referrer",
  "X-Robots-Tag": "noindex",
};

/**
 * A page for people who follow a link: a title, a few words, perhaps a button. `content` is HTML. It goes on to `next` by
 * itself, without a script.
 */
export function page(
  c: AppContext,
  status: 200 | 400 | 404 | 503,
  title: string,
  content: string,
  next?: string,
): Response {
  const onward =
    next === undefined ? "" : `<meta http-equiv="refresh" content="0;url=${escapeHtml(next)}">`;
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8">${onward}<meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:15vh auto;padding:0 1rem;color:#222}button{font:inherit;padding:.5rem 1rem}</style></head>
<body><h1>${escapeHtml(title)}</h1>${content}</body></html>`;
  return c.html(html, status, {
    ...QUIET,
    "Content-Security-Policy":
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
  });
}
