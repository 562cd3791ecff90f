import { AppError } from "#src/errors.ts";
import type { App, AppContext } from "./context.ts";

/**
 * Trusted Types without a policy: no script of the page can turn text into markup or code. Nothing inline, and no other
 * origin is asked. As `public/_headers` has it for the platform.
 */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/**
 * The console is one page for all its addresses: static files that `npm run console` makes of `src/console`. The page
 * names files by what is in them, so that it is asked for each time and they never again. Cloudflare's
 * single-page mode is not used: it would answer every navigation, of `/c/` and `/u/` too.
 */
export function mountConsole(app: App): void {
  app.get("/console", (c) => page(c));
  // A file of an older version is not there: the console that asks for it loads itself anew.
  app.get("/console/*", (c, next) => (c.req.path.startsWith("/console/f/") ? next() : page(c)));
}

/** A person who types the host means the console; a program learns as ever that there is nothing. */
export function mountRoot(app: App): void {
  // No route of a method: all else here is 404 as before.
  app.all("/", (c, next) => {
    c.header("Vary", "Accept", { append: true });
    const isPerson =
      ["GET", "HEAD"].includes(c.req.method) &&
      (c.req.header("accept") ?? "").includes("text/html");
    return isPerson ? c.redirect("/console") : next();
  });
}

async function page(c: AppContext): Promise<Response> {
  const assets = c.env["ASSETS"] as { fetch(url: URL): Promise<Response> } | undefined;
  const response = await assets?.fetch(new URL("/console/shell", c.req.url));
  if (response?.ok !== true)
    throw new AppError(
      "unavailable",
      "NOT_CONFIGURED",
      "This deployment has no console: `npm run console` makes it before a deployment (docs/deploying.md).",
    );
  return c.newResponse(response.body, 200, {
    "Content-Security-Policy": POLICY,
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-cache",
  });
}
