export type LogFields = Record<string, unknown>;

/** Structured log: one JSON object a line, one line per request, tick or failure. */
export interface Log {
  info(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

/** Drivers put statements and their parameters into messages: keep the chain of causes, each cut to size. */
export function describeError(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: String(error).slice(0, 500) };
  const { cause } = error;
  return {
    error: error.message.slice(0, 500),
    stack: error.stack?.split("\n").slice(1, 6).join("\n"),
    ...(cause === undefined ? {} : { cause: describeError(cause) }),
  };
}

export function createLog(write: (line: string) => void, now: () => Date): Log {
  const line = (level: string, event: string, fields: LogFields = {}) =>
    write(JSON.stringify({ at: now().toISOString(), level, event, ...fields }));
  return {
    info: (event, fields) => line("info", event, fields),
    error: (event, fields) => line("error", event, fields),
  };
}
