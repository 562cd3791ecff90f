import type { App } from "../context.ts";
import { openApiDocument } from "#src/http/openapi.ts";
import { type Description, docsPage } from "./page.ts";
import { FIND_SCRIPT } from "./style.ts";

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The API's description, as a document and as a page. Made at the first request, kept for the isolate's life. */
export function mountDocs(app: App): void {
  let document: ReturnType<typeof openApiDocument> | undefined;
  let page: string | undefined;
  const described = () => (document ??= openApiDocument(app));

  app.get("/openapi.json", (c) => c.json(described()));
  app.get("/docs", (c) => {
    page ??= docsPage(described() as unknown as Description, c.get("deps").settings.publicBaseUrl);
    return c.html(page, 200, { "Content-Security-Policy": POLICY });
  });
  app.get("/docs/find.js", (c) =>
    c.body(FIND_SCRIPT, 200, { "Content-Type": "text/javascript; charset=utf-8" }),
  );
}
