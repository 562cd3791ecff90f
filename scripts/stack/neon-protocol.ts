import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { DatabaseError } from "pg";
import type { SessionTarget, Statement, StatementResult } from "./neon-session.ts";

/** Neon's limit on requests and on responses over HTTP. */
export const MAX_BYTES = 64 * 1024 * 1024;

/** A refusal by the gateway itself rather than by Postgres. */
export class GatewayError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export interface SqlRequest {
  statements: Statement[];
  /** All of them in one transaction. */
  isBatch: boolean;
}

export function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MAX_BYTES) chunks.push(chunk);
    });
    request.on("error", reject);
    request.on("end", () => {
      if (bytes > MAX_BYTES) {
        return reject(new GatewayError(413, `request is too large (max is ${MAX_BYTES} bytes)`));
      }
      const [first] = chunks;
      const whole = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
      resolve(whole.toString("utf8"));
    });
  });
}

/** The login of a connection string; its host is Neon's business and means nothing here. */
export function parseConnectionString(
  text: string | undefined,
  postgres: { host: string; port: number },
): SessionTarget {
  const url = URL.parse(text ?? "");
  const database = decodeURIComponent(url?.pathname.slice(1) ?? "");
  const isPostgres = /^postgres(ql)?:$/.test(url?.protocol ?? "");
  if (url === null || !isPostgres || [url.username, url.password, database].includes(""))
    throw new GatewayError(
      400,
      "Neon-Connection-String: not postgres://, a user, a password and a database",
    );
  return {
    host: postgres.host,
    port: postgres.port,
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database,
  };
}

export function parseSqlRequest(headers: IncomingHttpHeaders, body: string): SqlRequest {
  let parsed: { query?: unknown; queries?: unknown };
  try {
    parsed = JSON.parse(body);
  } catch (error) {
    throw new GatewayError(400, `could not parse the request: ${(error as Error).message}`);
  }
  // The driver always asks for arrays of texts. Of a batch's options the service sends none.
  const unknown = Object.keys(headers).find((name) => name.startsWith("neon-batch-"));
  if (unknown !== undefined || headers["neon-array-mode"] !== "true")
    throw new GatewayError(
      400,
      `the local stack does not take ${unknown ?? "a request without Neon-Array-Mode: true"}`,
    );
  return Array.isArray(parsed?.queries)
    ? { statements: parsed.queries.map(toStatement), isBatch: true }
    : { statements: [toStatement(parsed)], isBatch: false };
}

function toStatement(value: unknown): Statement {
  const { query, params = [] } = (value ?? {}) as Record<string, unknown>;
  const isText = (param: unknown) => typeof param === "string" || param === null;
  if (typeof query !== "string") throw new GatewayError(400, "a query must be a string");
  // The driver sends every value as Postgres's text.
  if (!Array.isArray(params) || !params.every(isText))
    throw new GatewayError(400, "params must be an array of texts and nulls");
  // The protocol counts parameters in 16 bits.
  if (params.length > 65535) throw new GatewayError(400, "value too large to transmit");
  return { text: query, params: params as Statement["params"] };
}

/** One result as the response carries it, all values as Postgres wrote them. */
export function toWireResult({ tag, fields, rows }: StatementResult) {
  const [command = "", second, third] = tag.split(" ");
  const count = Number.parseInt((command === "INSERT" ? third : second) ?? "", 10);
  const rowCount = Number.isNaN(count) ? null : count;
  return { command, rowCount, rows, fields, rowAsArray: true };
}

/** The body of a failed request. Only Postgres's own errors have more than a message. */
export function toWireError(error: Error) {
  const fields: Partial<DatabaseError> = error instanceof DatabaseError ? error : {};
  return {
    message: error.message,
    code: fields.code ?? null,
    detail: fields.detail ?? null,
    hint: fields.hint ?? null,
    position: fields.position ?? null,
    internalPosition: fields.internalPosition ?? null,
    internalQuery: fields.internalQuery ?? null,
    severity: fields.severity ?? null,
    where: fields.where ?? null,
    table: fields.table ?? null,
    column: fields.column ?? null,
    schema: fields.schema ?? null,
    dataType: fields.dataType ?? null,
    constraint: fields.constraint ?? null,
    file: fields.file ?? null,
    line: fields.line ?? null,
    routine: fields.routine ?? null,
  };
}
