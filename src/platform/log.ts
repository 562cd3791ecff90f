export type LogFields = Record<string, unknown>;

/** Structured log: one JSON object a line, one line per request, tick or failure. */
export interface Log {
  info(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

/**
 * The chain of causes, each cut to size. Drivers put statements and their
 * parameters into messages and so into stacks; the parameters are people's
 * data, and no log holds them.
 */
export function describeError(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: String(error).slice(0, 500) };
  const { cause } = error;
  return {
    error: withoutParameters(error.message).slice(0, 500),
    stack: error.stack
      ?.split("\n")
      .filter((line) => /^\s+at /.test(line))
      .slice(0, 5)
      .join("\n"),
    ...(cause === undefined ? {} : { cause: describeError(cause) }),
  };
}

const withoutParameters = (message: string) => message.split("\nparams:", 1)[0]!;

export function createLog(write: (line: string) => void, now: () => Date): Log {
  const line = (level: string, event: string, fields: LogFields = {}) =>
    write(JSON.stringify({ at: now().toISOString(), level, event, ...fields }));
  return {
    info: (event, fields) => line("info", event, fields),
    error: (event, fields) => line("error", event, fields),
  };
}
