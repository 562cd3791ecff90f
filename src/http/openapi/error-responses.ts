import { COMMON_ERROR_NAMES, ERROR_NAMES, type Refusal } from "./errors.ts";
import { headersOf } from "./header-refs.ts";
import type { HeaderName } from "./headers.ts";
import { type Content, type Description, everyOperation, type Schema } from "./model.ts";

const DESCRIPTIONS: Record<keyof typeof ERROR_NAMES, string> = {
  400: "The body is not valid JSON, or the request cannot be served as it is.",
  401: "The credential is missing, malformed, expired or revoked.",
  403: "Valid credential without permission.",
  404: "Not found, or another workspace's.",
  409: "Conflict with the present state; read it, then decide.",
  410: "It was here, and is not kept any more.",
  429: "Rate limited; retry after the seconds in Retry-After.",
  500: "A defect on our side.",
  502: "An upstream answered with an error.",
  503: "Temporarily unavailable; retry with exponential backoff.",
  504: "An upstream did not answer in time.",
};

const COMMON: Record<keyof typeof COMMON_ERROR_NAMES, { description: string; schema: string }> = {
  402: {
    description:
      "Payment required: `PAYMENT-REQUIRED` and the body say what for; `PAYMENT-SIGNATURE` of the next request pays (x402 version 2).",
    schema: "PaymentRequired",
  },
  413: { description: "The body is too large.", schema: "LegacyError" },
  415: {
    description: "The body has another content type or coding than this operation takes.",
    schema: "LegacyError",
  },
};

/** The specification shows what the schema refuses in two shapes. */
const BY_SCHEMA = ["RequestValidationError", "HTTPValidationError"];
const REFUSALS: Record<Refusal, { description: string; schemas: string[] }> = {
  InvalidRequest: { description: "The request does not fit its schema.", schemas: BY_SCHEMA },
  Unprocessable: {
    description: "What is stored speaks against it: `detail` is the code.",
    schemas: ["CodedError"],
  },
  InvalidOrUnprocessable: {
    description: "The request does not fit its schema, or what is stored speaks against it.",
    schemas: [...BY_SCHEMA, "CodedError"],
  },
};

const HEADERS_OF: Record<string, HeaderName[]> = {
  401: ["WWW-Authenticate"],
  402: ["PAYMENT-REQUIRED"],
  // Names the scope that a key lacks.
  403: ["WWW-Authenticate"],
  // Of refused credentials there may be too many as well.
  429: ["Retry-After", "WWW-Authenticate"],
  409: ["Retry-After"],
  502: ["Retry-After"],
  503: ["Retry-After"],
  504: ["Retry-After"],
};

const schemaRef = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

const answer = (
  description: string,
  schemas: string[],
  headers: readonly HeaderName[] = [],
): Content => ({
  description,
  headers: headersOf(headers, true),
  content: {
    "application/json": {
      schema: schemas.length === 1 ? schemaRef(schemas[0]!) : { anyOf: schemas.map(schemaRef) },
    },
  },
});

/** Every error answer that an operation may refer to, by its name. */
export const ERROR_RESPONSES: Record<string, Content> = Object.fromEntries([
  ...Object.entries(DESCRIPTIONS).flatMap(([status, description]) => {
    const name = ERROR_NAMES[Number(status) as keyof typeof ERROR_NAMES];
    return [
      [name, answer(description, ["CodedError"], HEADERS_OF[status])],
      [`Legacy${name}`, answer(description, ["LegacyError", "CodedError"], HEADERS_OF[status])],
    ];
  }),
  ...Object.entries(COMMON).map(([status, { description, schema }]) => [
    COMMON_ERROR_NAMES[Number(status) as keyof typeof COMMON_ERROR_NAMES],
    answer(description, [schema], HEADERS_OF[status]),
  ]),
  ...Object.entries(REFUSALS).map(([name, { description, schemas }]) => [
    name,
    answer(description, schemas),
  ]),
]);

/** Adds the common refusals to a 422 for which the specification gives a body of its own. */
export function completeRefusals(description: Description): void {
  for (const { responses } of everyOperation(description)) {
    const own = responses["422"];
    if (own === undefined || "$ref" in own) continue;
    const media = own.content!["application/json"]!;
    const { schemas } = REFUSALS.InvalidOrUnprocessable;
    media.schema = { anyOf: [...schemas.map(schemaRef), media.schema!] };
  }
}
