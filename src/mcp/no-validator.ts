/**
 * In place of the library's own (`wrangler.toml`, `[alias]`), which brings 22 kB of a JSON schema's judge for what only a
 * server asks that waits for its client's answer, and builds every message of the protocol as it loads. Ours is asked
 * by one request at a time; `inputRequired` needs no judge, and arguments are read by zod.
 */
export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error("No schema of JSON is judged here.");
  }
}

/** For a server on standard input, which this is not. */
export const process = {};
