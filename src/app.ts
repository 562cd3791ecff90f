import { OpenAPIHono } from "@hono/zod-openapi";
import { callbacks } from "#functions/index.ts";
import { AppError } from "./errors.ts";
import { mountCallbacks } from "./http/callbacks.ts";
import type { App, AppContext, AppEnv, AppOptions } from "./http/context.ts";
import { mountDocs } from "./http/docs/mount.ts";
import { writeError, writeValidation } from "./http/errors.ts";
import { createPathTable, twinOf } from "./http/paths.ts";
import { observe } from "./http/observe.ts";
import { guardTrackingHosts } from "./http/tracking-hosts.ts";
import { routes } from "./routes/index.ts";
import { mountMailOauth } from "./routes/mail-alias-oauth.ts";
import { mountOptOut } from "./routes/prospects.ts";
import { mountTracking } from "./routes/tracking.ts";

/** The whole HTTP surface: request id and log, then operations, then 307, 405 and 404. */
export function createApp(options: AppOptions): App {
  const app: App = new OpenAPIHono<AppEnv>({
    defaultHook: (result, c) => {
      if (result.success) return;
      const place = {
        json: "body",
        form: "body",
        query: "query",
        param: "path",
        header: "header",
        cookie: "cookie",
      }[result.target];
      return writeValidation(
        c,
        result.error.issues.map((issue) => ({
          loc: [place, ...issue.path.map(String)],
          msg: issue.message,
          type: issue.code ?? "custom",
        })),
      );
    },
  });
  app.use("*", observe(options));
  app.use("*", guardTrackingHosts);
  app.onError((error, c) => writeError(error, c));
  for (const mount of routes) mount(app);
  mountTracking(app);
  mountOptOut(app);
  mountMailOauth(app);
  mountCallbacks(app, callbacks);
  mountDocs(app);

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
