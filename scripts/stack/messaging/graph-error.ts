import { randomBytes } from "node:crypto";
import { type Answer, json } from "../page-routes.ts";

/** What the Cloud API refuses, with its status, code and words. */
const ERRORS = {
  notAToken: [401, 190, "Invalid OAuth access token - Cannot parse access token"],
  tokenExpired: [401, 190, "Error validating access token: Session has expired"],
  parameter: [400, 100, "(#100) Invalid parameter"],
  missing: [400, 131008, "(#131008) Required parameter is missing"],
  value: [400, 131009, "(#131009) Parameter value is not valid"],
  ownNumber: [400, 131021, "(#131021) Recipient cannot be sender"],
  undeliverable: [400, 131026, "(#131026) Message undeliverable"],
  unsupported: [400, 131051, "(#131051) Message type is not currently supported"],
  parameterCount: [
    400,
    132000,
    "(#132000) Number of parameters does not match the expected number of params",
  ],
  noTemplate: [404, 132001, "(#132001) Template name does not exist in the translation"],
  tooLong: [400, 132005, "(#132005) Translated text too long"],
  paused: [400, 132015, "(#132015) Template is paused"],
  parameterText: [400, 132018, "(#132018) There's an issue with the parameters in your template"],
  throughput: [429, 130429, "(#130429) Rate limit hit"],
  pair: [
    400,
    131056,
    "(#131056) (Business Account, Consumer Account) pair rate limit hit: too many messages sent",
  ],
  broken: [500, 131000, "(#131000) Something went wrong"],
} as const satisfies Record<string, readonly [status: number, code: number, message: string]>;
export type GraphErrorName = keyof typeof ERRORS;

export interface GraphError {
  name: GraphErrorName;
  details: string;
}

/** https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes */
export function graphErrorAnswer({ name, details }: GraphError): Answer {
  const [status, code, message] = ERRORS[name];
  const error = {
    message,
    type: "OAuthException",
    code,
    ...(details === "" ? {} : { error_data: { messaging_product: "whatsapp", details } }),
    fbtrace_id: traceId(),
  };
  return json({ error }, status);
}

/** An unknown id in the path: Graph's own answer, which knows nothing of WhatsApp. */
export function unknownObject(id: string): Answer {
  const message = `Unsupported post request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation. Please read the Graph API documentation at https://developers.facebook.com/docs/graph-api`;
  const type = "GraphMethodException";
  const error = { message, type, code: 100, error_subcode: 33, fbtrace_id: traceId() };
  return json({ error }, 400);
}

const traceId = () => `A${randomBytes(16).toString("base64url")}`;
