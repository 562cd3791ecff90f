import "./openapi/annotate.ts";
import type { Part } from "#src/domain/owned.ts";
import type { MiddlewareHandler } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type * as z from "zod";
import type { Deps, Principal } from "#src/deps.ts";
import { actingFor } from "#src/domain/access/authenticate.ts";
import type { RevisedTable } from "#src/domain/access/idempotency.ts";
import { neededRole } from "#src/domain/access/roles.ts";
import type { NeededScope } from "#src/domain/access/scopes.ts";
import type { PaidCall } from "#src/domain/billing/wallet/prices.ts";
import { authenticate, requireAccess } from "./auth.ts";
import { DEFAULT_BODY_LIMIT } from "./body.ts";
import type { Access, App, AppContext, AppEnv, Envelope } from "./context.ts";
import { once } from "./idempotency.ts";
import { joined } from "./joined.ts";
import { choose, fieldsOf, withFields } from "./fields-asked.ts";
import { type IncludesSpec, withInclude } from "./includes.ts";
import { inPages, type ListSpec } from "./list.ts";
import type { HeaderName } from "./openapi/headers.ts";
import type { Example, RawBody, Said, SuccessStatus } from "./openapi/route.ts";
import { countForm, type LimitName, limitRate } from "./rate-limit.ts";
import { readRequest } from "./read-request.ts";
import { allowBrowsers } from "./wallet/browsers.ts";
import { tagged } from "./revisions.ts";
import { versionOf } from "./version.ts";
import { until } from "./wallet/deadline.ts";
import { sell } from "./wallet/middleware.ts";

export interface HandlerInput<P, Q, B, A> {
  deps: Deps;
  /** Null on public operations, and for a wallet that pays for a call. */
  principal: A extends "public" | "wallet" ? null : Principal;
  /** Of a paid call: when the answer is due; later it is 504, and not charged. */
  deadline: A extends "wallet" ? Date : undefined;
  params: P;
  query: Q;
  /** Of a list, in version 2: what its page needs. Undefined where the list is answered as a whole. */
  part: Part | undefined;
  /** In version 2, what its answer is to have besides (`includes`). */
  include: ReadonlySet<string>;
  body: B;
  c: AppContext;
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

export interface OperationSpec<
  A extends Access,
  P extends z.ZodObject | undefined,
  Q extends z.ZodObject | undefined,
  B extends z.ZodType | undefined,
  R extends z.ZodType,
> {
  method: "get" | "post" | "put" | "patch" | "delete";
  /** OpenAPI form: `/api/v1/templates/{template_id}`. */
  path: string;
  id: string;
  tag: string;
  summary: string;
  description?: string;
  /** Without a word an operation is for workspaces: what is forgotten is shut. */
  access?: A;
  /** What a key needs to be allowed; for access "workspace", and there always. */
  scope?: NeededScope;
  /** What a wallet buys here, and an example of it; for access "wallet" alone. */
  sells?: { call: PaidCall; example: { body: unknown; response: unknown } };
  /** A public form: so many a minute for an address. */
  isForm?: true;
  /** Free-tier workspaces get 403. */
  paidPlanOnly?: boolean;
  envelope?: Envelope;
  /** A quota stricter than the workspace's own, checked besides it. */
  limit?: LimitName;
  /** A read that asks another service, or streams all there is: it begins when its caller is let in, and not while the key is checked. */
  begins?: "let_in";
  /**
   * What uses an `Idempotency-Key`: the handler's first write, which is the whole `"effect"`, or the `"start"` of work, as
   * where credits are held for it. Without a word the key is used before the handler begins, as it must be where that
   * reaches outside before it writes: what is forgotten is never done twice.
   */
  claims?: "effect" | "start";
  /** Fields of the answer that are told once: repeated, it has null there. */
  shownOnce?: readonly string[];
  params?: P;
  query?: Q;
  /** How the list becomes pages in version 2; for lists that are not in pages of the common form. */
  list?: ListSpec;
  /** The record that the operation reads, changes or deletes as a whole: version 2 knows its entity tag (`revisions.ts`). */
  record?: RevisedTable;
  /** What version 2 answers besides where it is asked to; version 1 does not know the parameter. */
  includes?: IncludesSpec;
  body?: B;
  bodyLimit?: number;
  /** For bodies that are not JSON: how OpenAPI describes them. The handler reads `c.req.raw` itself. */
  rawBody?: RawBody;
  /** Request headers that the handler reads itself, with what they say. */
  reads?: Record<string, { description: string; required: boolean }>;
  status?: SuccessStatus;
  response: R;
  /** Further success statuses with the same body, e.g. 202 besides 200. */
  alsoStatus?: SuccessStatus[];
  /** 503 answers with the same body (health checks). */
  sameWhenUnavailable?: true;
  /** For answers that are not JSON. */
  responseType?: string;
  /** Headers of the answer besides those that every answer has. */
  sends?: HeaderName[];
  example?: Example;
  /** What a 422 of the domain says, where the specification gives it a body of its own; the handler answers it. */
  refusal?: z.ZodType;
  /** Statuses beyond those that follow from access, params and body. */
  errors?: (400 | 401 | 403 | 404 | 409 | 410 | 422 | 502 | 503 | 504)[];
  handler(
    input: HandlerInput<Parsed<P>, Parsed<Q>, Parsed<B>, A>,
  ): Promise<z.input<R> | Answer<z.input<R>> | Response>;
}

/** A body with another success status than the operation's first, or with headers. */
export class Answer<T> {
  readonly status: SuccessStatus;
  readonly body: T;
  readonly headers: Partial<Record<HeaderName, string>>;
  constructor(status: SuccessStatus, body: T, headers: Partial<Record<HeaderName, string>> = {}) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

const NOTHING: ReadonlySet<string> = new Set();

/** What version 2 is asked to answer, in the parsed query. */
interface Asked {
  include?: ReadonlySet<string>;
  fields?: ReadonlySet<string>;
}

/** The answer with another body; a refusal stays. */
function ofBody(result: unknown, change: (body: unknown) => object): unknown {
  if (result instanceof Response) return result;
  if (result instanceof Answer)
    return new Answer(result.status, change(result.body), result.headers);
  return change(result);
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
  // What nobody decided is the owner's alone.
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
