import { AppError } from "#src/errors.ts";
import type { App, AppContext } from "../context.ts";
import type { Description } from "../openapi/model.ts";
import { docsPage } from "./page.ts";
import { FIND_SCRIPT } from "./style.ts";

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const DESCRIPTION_PATH = "/openapi.json";

/**
 * The API's description is a static file, written when the API changes (`npm run openapi`): what makes it
 * is no part of the Worker. Its page is made of it at the first request, and kept for the isolate's life.
 */
export function mountDocs(app: App): void {
  let page: string | undefined;
  // The platform answers it before the Worker is asked, save where somebody runs it otherwise.
  app.get(DESCRIPTION_PATH, async (c) =>
    c.newResponse((await askForDescription(c)).body, 200, JSON_TYPE),
  );
  app.get("/docs", async (c) => {
    page ??= docsPage(
      (await (await askForDescription(c)).json()) as Description,
      c.get("deps").settings.publicBaseUrl,
    );
    return c.html(page, 200, { "Content-Security-Policy": POLICY });
  });
  app.get("/docs/find.js", (c) =>
    c.body(FIND_SCRIPT, 200, { "Content-Type": "text/javascript; charset=utf-8" }),
  );
}

const JSON_TYPE = { "Content-Type": "application/json" };

async function askForDescription(c: AppContext): Promise<Response> {
  const assets = c.env["ASSETS"] as { fetch(url: URL): Promise<Response> } | undefined;
  const response = await assets?.fetch(new URL(DESCRIPTION_PATH, c.req.url));
  if (response?.ok === true) return response;
  throw new AppError(
    "unavailable",
    "NOT_CONFIGURED",
    "This deployment has no static files (public/): its API's description is one of them.",
  );
}
