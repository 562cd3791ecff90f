import type { Access, Envelope } from "../context.ts";
import type { Ref } from "./model.ts";

interface ErrorShape {
  envelope: Envelope;
  access: Access;
  hasParams: boolean;
  hasQuery: boolean;
  hasBody: boolean;
  paidPlanOnly: boolean;
  isForm: boolean;
  more: readonly number[];
}

/** Answers whose body differs by envelope; the older one's are called `Legacy...`. */
export const ERROR_NAMES = {
  400: "BadRequest",
  401: "Unauthenticated",
  403: "Forbidden",
  404: "NotFound",
  409: "Conflict",
  410: "Gone",
  429: "RateLimited",
  500: "Defect",
  502: "UpstreamFailed",
  503: "Unavailable",
  504: "UpstreamTimeout",
} as const;

/** Answers that are the same wherever they occur. */
export const COMMON_ERROR_NAMES = {
  402: "PaymentRequired",
  413: "TooLarge",
  415: "UnsupportedMediaType",
} as const;

/** 422, by its source: the schema alone, the domain alone, or either. */
export type Refusal = "InvalidRequest" | "Unprocessable" | "InvalidOrUnprocessable";

/** The error answers an operation documents, by reference: those that follow from its shape, and those it names. */
export function errorResponses(shape: ErrorShape): Record<number, Ref> {
  return Object.fromEntries(
    [...statusesOf(shape)]
      .toSorted((a, b) => a - b)
      .map((status) => [status, { $ref: `#/components/responses/${nameOf(status, shape)}` }]),
  );
}

function statusesOf(shape: ErrorShape): Set<number> {
  const statuses = new Set<number>([500, ...shape.more]);
  if (shape.access === "wallet") statuses.add(402).add(429).add(503).add(504);
  // A login may be no member of the workspace that it means, or not have the role.
  else if (shape.access !== "public") statuses.add(401).add(403).add(429).add(503);
  if (shape.isForm) statuses.add(429);
  if (shape.hasParams) statuses.add(404);
  if (shape.hasBody) statuses.add(413).add(415);
  if (shape.hasBody && shape.access !== "wallet") statuses.add(400);
  if (readsBySchema(shape)) statuses.add(422);
  return statuses;
}

const readsBySchema = ({ hasBody, hasParams, hasQuery }: ErrorShape) =>
  hasBody || hasParams || hasQuery;

function nameOf(status: number, shape: ErrorShape): string {
  if (status === 422) return refusalOf(shape);
  const common = (COMMON_ERROR_NAMES as Record<number, string>)[status];
  if (common !== undefined) return common;
  const name = (ERROR_NAMES as Record<number, string>)[status]!;
  return shape.envelope === "legacy" ? `Legacy${name}` : name;
}

/** A body may be refused by the domain, too; a path or a query only where the operation names 422. */
function refusalOf(shape: ErrorShape): Refusal {
  if (!shape.hasBody && !shape.more.includes(422)) return "InvalidRequest";
  return readsBySchema(shape) ? "InvalidOrUnprocessable" : "Unprocessable";
}
