import type * as z from "zod";
import { PAID_CALLS, type PaidCall } from "#src/domain/billing/wallet/prices.ts";
import type { RevisedTable } from "#src/domain/access/idempotency.ts";
import type { NeededScope } from "#src/domain/access/scopes.ts";
import type { Access, Envelope } from "../context.ts";
import type { IncludesSpec } from "../includes.ts";
import { errorResponses } from "./errors.ts";
import { headerParameter, headersOf, PAYMENT_SIGNATURE } from "./header-refs.ts";
import type { HeaderName } from "./headers.ts";

export type SuccessStatus = 200 | 201 | 202;

/** Where the words of the fields (`words.ts`) do not make a good one. */
export interface Example {
  body?: unknown;
  response?: unknown;
}

/** How bodies are described that the handler reads itself, by media type. */
export type RawBody = Record<string, { schema: Record<string, unknown>; example?: unknown }>;

/** The parts of an operation that the API's description shows. */
export interface Said {
  method: "get" | "post" | "put" | "patch" | "delete";
  path: string;
  id: string;
  tag: string;
  summary: string;
  description?: string;
  access?: Access;
  scope?: NeededScope;
  sells?: { call: PaidCall; example: Example };
  example?: Example;
  isForm?: true;
  paidPlanOnly?: boolean;
  envelope?: Envelope;
  params?: z.ZodObject | undefined;
  query?: z.ZodObject | undefined;
  body?: z.ZodType | undefined;
  rawBody?: RawBody;
  reads?: Record<string, { description: string; required: boolean }>;
  status?: SuccessStatus;
  response: z.ZodType;
  sends?: HeaderName[];
  alsoStatus?: SuccessStatus[];
  sameWhenUnavailable?: true;
  responseType?: string;
  refusal?: z.ZodType;
  errors?: readonly number[];
  shownOnce?: readonly string[];
  includes?: IncludesSpec;
  record?: RevisedTable;
}

/** The description's security; absent, the default: any key or a login. What a key needs stands as its roles (OpenAPI 3.1, Security Requirement Object), also that it be `unscoped`. */
function securityOf({ access = "workspace", scope = "any" }: Said) {
  if (access === "jwt") return { security: [{ login: [] }] };
  if (access !== "workspace") return { security: [] };
  return scope === "any" ? {} : { security: [{ api_key: [scope] }, { login: [] }] };
}

const SUCCESS: Record<SuccessStatus, string> = {
  200: "Done; the body is the answer.",
  201: "Created.",
  202: "Accepted: the work is queued.",
};

/** An operation as the generator wants it; its errors by reference (`error-responses.ts`). */
export function describedRoute(said: Said) {
  const access = said.access ?? "workspace";
  const parameters = headerParametersOf(said);
  return {
    method: said.method,
    path: said.path,
    operationId: said.id,
    tags: [said.tag],
    summary: said.summary,
    ...(said.description === undefined ? {} : { description: said.description }),
    ...securityOf(said),
    // The handler's budget; how long the caller's signature holds is in the 402.
    ...(said.sells === undefined
      ? {}
      : { "x-timeout-seconds": PAID_CALLS[said.sells.call].seconds }),
    ...(said.shownOnce === undefined ? {} : { "x-shown-once": said.shownOnce }),
    ...(parameters.length === 0 ? {} : { parameters }),
    request: requestOf(said),
    responses: {
      ...successesOf(said),
      ...errorResponses({
        envelope: said.envelope ?? "coded",
        access,
        hasParams: said.params !== undefined,
        hasQuery: said.query !== undefined,
        hasBody: said.body !== undefined || said.rawBody !== undefined,
        paidPlanOnly: said.paidPlanOnly ?? false,
        isForm: said.isForm ?? false,
        more: said.errors ?? [],
      }),
      ...(said.refusal === undefined ? {} : { 422: ownRefusal(said.refusal) }),
      ...(said.sameWhenUnavailable === true
        ? { 503: { ...successOf(said), description: "The service cannot work." } }
        : {}),
    },
  };
}

function headerParametersOf({ reads = {}, access }: Said) {
  const own = Object.entries(reads).map(([name, { description, required }]) =>
    headerParameter(name, description, required),
  );
  return access === "wallet" ? [PAYMENT_SIGNATURE, ...own] : own;
}

function requestOf(said: Said) {
  const { params, query, body, rawBody } = said;
  const media = { schema: body, ...exampleOf(said, "body") };
  return {
    ...(params === undefined ? {} : { params }),
    ...(query === undefined ? {} : { query }),
    ...(body === undefined
      ? {}
      : { body: { required: true, content: { "application/json": media } } }),
    ...(rawBody === undefined ? {} : { body: { required: true, content: rawBody } }),
  };
}

const successesOf = (said: Said) =>
  Object.fromEntries(
    [said.status ?? 200, ...(said.alsoStatus ?? [])].map((status) => [
      status,
      { ...successOf(said), description: SUCCESS[status] },
    ]),
  );

function exampleOf({ sells, example = sells?.example }: Said, of: keyof Example) {
  const value = example?.[of];
  return value === undefined ? {} : { example: value };
}

function successOf(said: Said) {
  const { access = "workspace", isForm, sends = [], responseType, response } = said;
  const headers: HeaderName[] = [...sends];
  if (responseType === "text/csv") headers.push("Content-Disposition");
  if (access === "wallet") headers.push("PAYMENT-RESPONSE");
  const isLimited = access === "workspace" || access === "jwt" || isForm === true;
  return {
    headers: headersOf(headers, isLimited),
    content: {
      [responseType ?? "application/json"]: { schema: response, ...exampleOf(said, "response") },
    },
  };
}

/** The other bodies of a 422 are added where the description is made. */
const ownRefusal = (refusal: z.ZodType) => ({
  description: "The request does not fit its schema, or there is no definite answer.",
  headers: headersOf([], true),
  content: { "application/json": { schema: refusal } },
});
