import "./openapi/annotate.ts";
import type { MiddlewareHandler } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type * as z from "zod";
import { actingFor } from "#src/domain/access/authenticate.ts";
import { neededRole } from "#src/domain/access/roles.ts";
import { Answer, ofBody } from "./answer.ts";
import { authenticate, requireAccess } from "./auth.ts";
import { DEFAULT_BODY_LIMIT } from "./body.ts";
import type { Access, App, AppContext, AppEnv } from "./context.ts";
import { once } from "./idempotency.ts";
import { joined } from "./joined.ts";
import { choose, fieldsOf, withFields } from "./fields-asked.ts";
import { withInclude } from "./includes.ts";
import { inPages } from "./list.ts";
import type { Said } from "./openapi/route.ts";
import type { OperationSpec, Parsed } from "./operation-spec.ts";
import { countForm, limitRate } from "./rate-limit.ts";
import { readRequest } from "./read-request.ts";
import { allowBrowsers } from "./wallet/browsers.ts";
import { tagged } from "./revisions.ts";
import { versionOf } from "./version.ts";
import { until } from "./wallet/deadline.ts";
import { sell } from "./wallet/middleware.ts";

const NOTHING: ReadonlySet<string> = new Set();

/** What version 2 is asked to answer, in the parsed query. */
interface Asked {
  include?: ReadonlySet<string>;
  fields?: ReadonlySet<string>;
}

/** Puts an operation into an app, and says what the API's description makes of it. */
export type Mount = ((app: App) => void) & { readonly said: Said };

/**
 * One operation of the API. This is the only place where the order of checks
 * (contract section 0) is written down: credential 401, quota 429, permission
 * 403, content type 415, size 413, JSON 400, schema 422, then the handler.
 * A paid call is paid first: whatever the body, 402 (contract section 11).
 */
export function operation<
  R extends z.ZodType,
  A extends Access = "workspace",
  P extends z.ZodObject | undefined = undefined,
  Q extends z.ZodObject | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(spec: OperationSpec<A, P, Q, B, R>): Mount {
  const envelope = spec.envelope ?? "coded";
  const access: Access = spec.access ?? "workspace";
  const status = spec.status ?? 200;
  // An operation for which no role was decided is the owner's alone.
  const role = neededRole(spec.id, spec.scope) ?? "owner";
  // What is begun anew for another role is for every role: it is not asked for again.
  const isJoined =
    role === "viewer" &&
    spec.method === "get" &&
    access === "workspace" &&
    spec.limit === undefined &&
    spec.paidPlanOnly !== true &&
    spec.begins === undefined;
  const { limit, scope, paidPlanOnly = false } = spec;
  const entrance = { access, limit, isJoined, scope, role, paidPlanOnly };
  const checks: MiddlewareHandler<AppEnv>[] = [
    async (c, next) => {
      c.set("envelope", envelope);
      await next();
    },
    authenticate(entrance),
    limitRate(access, limit),
    requireAccess(entrance),
  ];
  if (spec.method !== "get" && (access === "workspace" || access === "jwt"))
    checks.push(async (c, next) => {
      c.set("deps", actingFor(c.get("deps"), c.get("principal")!));
      await next();
    });
  if (spec.isForm === true)
    checks.push(async (c, next) => {
      await countForm(c);
      await next();
    });
  const bodyLimit = spec.bodyLimit ?? DEFAULT_BODY_LIMIT;
  if (spec.sells !== undefined)
    checks.push(
      allowBrowsers,
      sell({
        ...spec.sells,
        path: spec.path,
        description: spec.summary,
        body: spec.body!,
        response: spec.response,
        bodyLimit,
      }),
    );

  const choosing = withFields(fieldsOf(spec), spec.query);
  const pages = spec.list && inPages(spec.id, spec.list, choosing);
  const inV2 = pages?.query ?? choosing;
  const fullQuery =
    spec.includes === undefined ? inV2 : withInclude(spec.includes, inV2 as z.ZodObject);

  const mount = (app: App) => {
    const at = spec.path.replaceAll(/\{(\w+)\}/g, ":$1");
    if (spec.sells !== undefined) app.options(at, allowBrowsers);
    const work = async (c: AppContext) => {
      const isV2 = versionOf(c) === 2;
      const paged = isV2 ? pages : undefined;
      const query = isV2 ? fullQuery : spec.query;
      const read = await readRequest(c, { ...spec, query, access, bodyLimit });
      if (read instanceof Response) return read;
      const deadline = c.get("deadline");
      const claiming = c.get("claiming");
      if (spec.claims === undefined) await claiming?.claimFirst();
      const { include = NOTHING, fields }: Asked = isV2 ? ((read.query as Asked) ?? {}) : {};
      const handled = spec.handler({
        deps: claiming?.deps ?? c.get("deps"),
        deadline: deadline as never,
        principal: (c.get("principal") ?? null) as never,
        params: read.params as Parsed<P>,
        query: read.query as Parsed<Q>,
        part: paged?.partOf(read.query),
        include,
        body: read.body as Parsed<B>,
        c,
      });
      if (claiming !== undefined) {
        await handled;
        await claiming.confirm();
      }
      if (paged !== undefined)
        return ofBody(await handled, (list) =>
          choose(paged.answer(list, read.query), fields, include),
        );
      if (isV2 && spec.record !== undefined && spec.method !== "delete") {
        const record = (await handled) as object;
        return tagged(c, record, choose(record, fields, include));
      }
      if (fields !== undefined)
        return ofBody(await handled, (body) => choose(body as object, fields, include));
      return deadline === undefined ? handled : until(c, deadline, handled);
    };
    const respond = async (c: AppContext) => {
      const result = await joined(c, () => work(c));
      // Any change may have made work due; woken here, so that no handler has to remember it.
      if (spec.method !== "get") c.get("deps").background(c.get("deps").wake());
      // Made anew, or a handler's own Response would lose the headers set before it: the quota's.
      if (result instanceof Response) return c.newResponse(result.body, result);
      if (result instanceof Answer) {
        for (const [name, value] of Object.entries(result.headers)) c.header(name, value);
        return c.json(result.body as object, result.status);
      }
      return c.json(result as object, status as ContentfulStatusCode);
    };
    app.on([spec.method], [at], ...checks, (c: AppContext) =>
      once(c, { ...spec, bodyLimit }, () => respond(c)),
    );
  };
  return Object.assign(mount, { said: spec });
}
