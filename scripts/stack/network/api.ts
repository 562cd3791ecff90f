import { timingSafeEqual } from "node:crypto";
import { accountOperations } from "./account-operations.ts";
import type { State } from "./books.ts";
import { chatOperations } from "./chat-operations.ts";
import { type ErrorName, NetworkRefusal } from "./errors.ts";
import type { networkFaults } from "./faults.ts";
import type { Answer, Asked, Operation } from "./operation.ts";
import { peopleOperations } from "./people-operations.ts";
import { postOperations } from "./post-operations.ts";
import { webhookOperations } from "./webhook-operations.ts";

const operations: Operation[] = [
  ...accountOperations,
  ...peopleOperations,
  ...chatOperations,
  ...postOperations,
  ...webhookOperations,
];

export interface ApiRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** What the provider does with a request, short of reading and answering it. Throws `NetworkRefusal`. */
export async function perform(state: State, apiKey: string, request: ApiRequest): Promise<Answer> {
  refuseAsOrdered(state);
  authenticate(request, apiKey);
  const { operation, parts } = findOperation(request);
  const asked: Asked = { state, parts, query: request.query, ...(await read(request)) };
  return operation.run(asked);
}

const ORDERED: [keyof typeof networkFaults, ErrorName, string][] = [
  ["key_refused", "missing_credentials", "Missing or invalid X-API-KEY."],
  ["unavailable", "service_unavailable", "The service is unavailable."],
  ["rate_limited", "too_many_requests", "Too many requests were made."],
  ["provider_error", "provider_error", "The provider is experiencing operational problems."],
  ["timeout", "request_timeout", "The request has timed out."],
  ["not_taken", "invalid_parameters", "Invalid parameters."],
];

function refuseAsOrdered({ faults }: State): void {
  const found = ORDERED.find(([fault]) => faults.take(fault));
  if (found !== undefined) throw new NetworkRefusal(found[1], found[2]);
}

function authenticate({ headers }: ApiRequest, apiKey: string): void {
  const given = Buffer.from(String(headers["x-api-key"] ?? ""));
  const wanted = Buffer.from(apiKey);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
    throw new NetworkRefusal("missing_credentials", "Missing or invalid X-API-KEY.");
}

function findOperation({ method, path }: ApiRequest): { operation: Operation; parts: string[] } {
  for (const operation of operations) {
    const match = operation.method === method ? operation.path.exec(path) : null;
    if (match !== null) return { operation, parts: match.slice(1).map(decoded) };
  }
  throw new NetworkRefusal(
    "resource_not_found",
    `Cannot find this path. The local stand-in may leave out ${method} ${path.slice(0, 100)}; see docs/design/local-stack-network.md.`,
  );
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new NetworkRefusal("malformed_request", "The path is malformed.");
  }
}

async function read({ headers, body }: ApiRequest): Promise<Pick<Asked, "json" | "form">> {
  const type = String(headers["content-type"] ?? "");
  if (body.length === 0) return { json: {}, form: null };
  if (type.startsWith("multipart/form-data"))
    return { json: null, form: await readForm(type, body) };
  if (!type.startsWith("application/json"))
    throw new NetworkRefusal("unsupported_media_type", "JSON or multipart/form-data is expected.");
  try {
    return { json: JSON.parse(body.toString("utf8")), form: null };
  } catch {
    throw new NetworkRefusal("malformed_request", "The body is not JSON.");
  }
}

async function readForm(type: string, body: Buffer): Promise<FormData> {
  try {
    const bytes = new Uint8Array(body);
    return await new Response(bytes, { headers: { "content-type": type } }).formData();
  } catch {
    throw new NetworkRefusal("malformed_request", "The body is not multipart/form-data.");
  }
}
