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
  statements: (Statement & { arrayMode: boolean })[];
  /** Null for a single query; the `BEGIN` of a batch. */
  begin: string | null;
  /** What the response repeats of the batch's options. */
  echo: Record<string, string>;
}

const ISOLATION_LEVELS: Readonly<Record<string, string>> = {
  ReadUncommitted: "READ UNCOMMITTED",
  ReadCommitted: "READ COMMITTED",
  RepeatableRead: "REPEATABLE READ",
  Serializable: "SERIALIZABLE",
};

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
  if (text === undefined) throw invalidConnectionString("missing header");
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw invalidConnectionString("not a URL");
  }
  if (url.protocol !== "postgres:" && url.protocol !== "postgresql:") {
    throw invalidConnectionString("the scheme is not postgres or postgresql");
  }
  if (url.username === "") throw invalidConnectionString("missing user");
  if (url.password === "") throw invalidConnectionString("missing password");
  const database = decodeURIComponent(url.pathname.slice(1));
  if (database === "") throw invalidConnectionString("missing database");
  return {
    host: postgres.host,
    port: postgres.port,
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database,
    applicationName: url.searchParams.get("application_name") ?? undefined,
  };
}

function invalidConnectionString(why: string): GatewayError {
  return new GatewayError(400, `Neon-Connection-String: ${why}`);
}

export function parseSqlRequest(headers: IncomingHttpHeaders, body: string): SqlRequest {
  let parsed: { query?: unknown; queries?: unknown };
  try {
    parsed = JSON.parse(body);
  } catch (error) {
    throw new GatewayError(400, `could not parse the request: ${(error as Error).message}`);
  }
  const arrayMode = headers["neon-array-mode"] === "true";
  if (Array.isArray(parsed?.queries)) {
    return {
      statements: parsed.queries.map((query) => toStatement(query, arrayMode)),
      ...batchOptions(headers),
    };
  }
  return { statements: [toStatement(parsed, arrayMode)], begin: null, echo: {} };
}

function batchOptions(headers: IncomingHttpHeaders): Pick<SqlRequest, "begin" | "echo"> {
  const echo: Record<string, string> = {};
  let begin = "BEGIN";
  const isolation = headers["neon-batch-isolation-level"];
  if (isolation !== undefined) {
    const level = Object.hasOwn(ISOLATION_LEVELS, String(isolation))
      ? ISOLATION_LEVELS[String(isolation)]
      : undefined;
    if (level === undefined) throw new GatewayError(400, "invalid isolation level");
    begin += ` ISOLATION LEVEL ${level}`;
    echo["neon-batch-isolation-level"] = String(isolation);
  }
  for (const [header, clause] of [
    ["neon-batch-read-only", " READ ONLY"],
    ["neon-batch-deferrable", " DEFERRABLE"],
  ] as const) {
    if (headers[header] !== "true") continue;
    begin += clause;
    echo[header] = "true";
  }
  return { begin, echo };
}

function toStatement(value: unknown, defaultArrayMode: boolean): SqlRequest["statements"][number] {
  const { query, params, arrayMode } = (value ?? {}) as Record<string, unknown>;
  if (typeof query !== "string") throw new GatewayError(400, "a query must be a string");
  if (params !== undefined && !Array.isArray(params)) {
    throw new GatewayError(400, "params must be an array");
  }
  // The protocol counts parameters in 16 bits.
  if (params !== undefined && params.length > 65535) {
    throw new GatewayError(400, "value too large to transmit");
  }
  return {
    text: query,
    params: params?.map(toPgText) ?? [],
    arrayMode: typeof arrayMode === "boolean" ? arrayMode : defaultArrayMode,
  };
}

/** A JSON value as the text of a parameter. */
export function toPgText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "string") return value;
  return Array.isArray(value) ? toArrayLiteral(value) : JSON.stringify(value);
}

/** Elements are quoted as JSON strings are, which Postgres reads the same. */
function toArrayLiteral(values: unknown[]): string {
  const elements = values.map((value) => {
    if (value === null) return "NULL";
    if (Array.isArray(value)) return toArrayLiteral(value);
    const json = JSON.stringify(value);
    return typeof value === "object" ? JSON.stringify(json) : json;
  });
  return `{${elements.join(",")}}`;
}

/** One result as the response carries it, all values as Postgres wrote them. */
export function toWireResult(result: StatementResult, arrayMode: boolean) {
  const [command = "", second, third] = result.tag.split(" ");
  const count = Number.parseInt((command === "INSERT" ? third : second) ?? "", 10);
  return {
    command,
    rowCount: Number.isNaN(count) ? null : count,
    rows: arrayMode ? result.rows : toObjects(result),
    fields: result.fields,
    rowAsArray: arrayMode,
  };
}

function toObjects({ fields, rows }: StatementResult): Record<string, string | null>[] {
  const names = (fields as { name: string }[]).map(({ name }) => name);
  return rows.map((row) => Object.fromEntries(row.map((value, at) => [names[at], value])));
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
