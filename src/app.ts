import { Hono } from "hono";
import { AppError } from "./errors.ts";
import type { App, AppContext, AppEnv, AppOptions } from "./http/context.ts";
import { writeError } from "./http/errors.ts";
import { createPathTable, twinOf } from "./http/paths.ts";
import { observe } from "./http/observe.ts";
import { guardTrackingHosts } from "./http/tracking-hosts.ts";
import { servedPath } from "./http/version.ts";
import { areaOf, areas, type Load } from "./routes/index.ts";

const docs: Load[] = [async () => [(await import("./http/docs.ts")).mountDocs]];
const console: Load[] = [async () => [(await import("./http/console.ts")).mountConsole]];
const allAreas: typeof areas = {
  ...areas,
  docs,
  "openapi.json": docs,
  openapi: docs,
  "docs.md": docs,
  "llms.txt": docs,
  console,
  ".well-known": [async () => [(await import("./mcp/discovery.ts")).mountDiscovery]],
  "": [async () => [(await import("./http/console.ts")).mountRoot]],
  functions: [
    async () => {
      const { callbacks } = await import("#functions/index.ts");
      const { mountCallbacks } = await import("./http/callbacks.ts");
      return [(app: App) => mountCallbacks(app, callbacks)];
    },
  ],
};
const NOTHING: readonly Load[] = [];

/** The whole HTTP surface; what serves an area of paths is built at the first request to it. */
export function createApp(options: AppOptions) {
  const parts = new Map<readonly Load[], Promise<App>>();
  // A client of the app in the app: what agents call ends as requests to the API.
  const served: typeof areas = {
    ...allAreas,
    mcp: [async () => [(await import("./mcp/mount.ts")).mountMcp(fetch)]],
  };
  async function fetch(...[request, ...rest]: Parameters<App["fetch"]>): Promise<Response> {
    const area = areaOf(servedPath(request));
    const loads = Object.hasOwn(served, area) ? served[area]! : NOTHING;
    const part = parts.get(loads) ?? createPart(options, loads);
    parts.set(loads, part);
    return (await part).fetch(request, ...rest);
  }
  return { fetch };
}

/** An app of its own: request id and log, then operations, then 307, 405 and 404. */
async function createPart(options: AppOptions, loads: readonly Load[]): Promise<App> {
  const app: App = new Hono<AppEnv>({ getPath: servedPath });
  app.use("*", observe(options));
  app.use("*", guardTrackingHosts);
  app.onError((error, c) => writeError(error, c));
  const mounts = await Promise.all(loads.map((load) => load()));
  for (const mount of mounts.flat()) mount(app);
  const paths = createPathTable(app.routes);
  app.notFound((c) => answerUnknown(c, paths));
  return app;
}

function answerUnknown(c: AppContext, paths: ReturnType<typeof createPathTable>): Response {
  const url = new URL(c.req.url);
  // As the router read it, percent signs decoded: both have to agree on what is served where.
  const allowed = paths.methodsAt(c.req.path);
  if (allowed.length > 0) {
    c.header("Allow", allowed.join(", "));
    return writeError(
      new AppError(
        "method_not_allowed",
        "METHOD_NOT_ALLOWED",
        `${c.req.method} is not possible here; ${allowed.join(", ")} is.`,
      ),
      c,
    );
  }
  if (paths.methodsAt(twinOf(c.req.path)).length > 0)
    return c.redirect(twinOf(url.pathname) + url.search, 307);
  return writeError(
    new AppError(
      "not_found",
      "NOT_FOUND",
      `There is nothing at ${url.pathname.slice(0, 200)}; /docs lists every operation.`,
    ),
    c,
  );
}
