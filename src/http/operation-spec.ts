import type * as z from "zod";
import type { Deps, Principal } from "#src/deps.ts";
import type { RevisedTable } from "#src/domain/access/idempotency.ts";
import type { NeededScope } from "#src/domain/access/scopes.ts";
import type { PaidCall } from "#src/domain/billing/wallet/prices.ts";
import type { Part } from "#src/domain/owned.ts";
import type { Answer } from "./answer.ts";
import type { Access, AppContext, Envelope } from "./context.ts";
import type { IncludesSpec } from "./includes.ts";
import type { ListSpec } from "./list.ts";
import type { HeaderName } from "./openapi/headers.ts";
import type { Example, RawBody, SuccessStatus } from "./openapi/route.ts";
import type { LimitName } from "./quotas.ts";

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

export type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

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
