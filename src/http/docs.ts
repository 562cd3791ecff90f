import { accepts } from "hono/accepts";
import { AppError } from "#src/errors.ts";
import type { App, AppContext } from "./context.ts";

/** The content policy of the docs page, as `public/_headers` has it for the platform. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Of `public/docs/`. */
const FILES = [
  "style.css",
  "main.js",
  "operation.js",
  "schema.js",
  "curl.js",
  "try.js",
  "find.js",
  "dom.js",
];

const PAGE = "text/html";
const TEXT = "text/markdown";

/**
 * The API's description, written when the API changes (`npm run openapi`), and the page that the browser makes of it
 * are static files, and no part of the Worker. Cloudflare answers them before the Worker is asked, all but `/docs`, which
 * is a page or text (`public/docs.md`) by what the caller accepts; the other routes are for other hosts.
 */
export function mountDocs(app: App): void {
  app.get("/openapi.json", (c) => staticFile(c));
  app.get("/openapi/v2.json", (c) => staticFile(c));
  app.get("/llms.txt", (c) => staticFile(c));
  app.get("/docs.md", (c) => staticFile(c));
  app.get("/docs", (c) => {
    const as = accepts(c, { header: "Accept", supports: [PAGE, TEXT], default: PAGE });
    return as === TEXT
      ? staticFile(c, { Vary: "Accept" }, "/docs.md")
      : staticFile(c, { Vary: "Accept", "Content-Security-Policy": POLICY });
  });
  for (const file of FILES) app.get(`/docs/${file}`, (c) => staticFile(c));
}

async function staticFile(
  c: AppContext,
  headers: Record<string, string> = {},
  file = new URL(c.req.url).pathname,
): Promise<Response> {
  const assets = c.env["ASSETS"] as { fetch(url: URL): Promise<Response> } | undefined;
  const response = await assets?.fetch(new URL(file, c.req.url));
  if (response?.ok !== true)
    throw new AppError(
      "unavailable",
      "NOT_CONFIGURED",
      "This deployment has no static files (public/): its API's description is one of them.",
    );
  const type = response.headers.get("content-type") ?? "application/octet-stream";
  return c.newResponse(response.body, 200, { ...headers, "Content-Type": type });
}
