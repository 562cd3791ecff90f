import type { NeonQueryFunction, NeonQueryPromise } from "@neondatabase/serverless";

type Client = NeonQueryFunction<false, false>;

interface Result {
  fields: { name: string }[];
  rows: unknown[];
  rowAsArray: boolean;
}

/**
 * Makes the records of hand-written statements out of rows that the driver gives as arrays. By itself it makes a list of
 * pairs of each row first, which was a third of what a thousand rows cost.
 */
export function recordsOfArrays(client: Client): Client {
  const { query, transaction } = client;
  /** Statements of which records are asked for. */
  const recorded = new WeakSet<object>();

  const queryArrays: typeof query = (text, params, options) => {
    if (options?.arrayMode === true || options?.fullResults !== true)
      return query(text, params, options);
    const statement = query(text, params, { ...options, arrayMode: true } as typeof options);
    recorded.add(statement);
    const { execute } = statement;
    return Object.assign(statement, {
      execute: async (...run: Parameters<typeof execute>) =>
        inRecords((await execute(...run)) as unknown as Result),
    }) as never;
  };
  const transactionOfArrays = (async (queries: NeonQueryPromise<false, false>[], options) => {
    const results = (await transaction(queries, options)) as unknown as Result[];
    for (const [at, statement] of queries.entries())
      if (recorded.has(statement)) inRecords(results[at]!);
    return results;
  }) as typeof transaction;
  return Object.assign(client, { query: queryArrays, transaction: transactionOfArrays });
}

function inRecords(result: Result): Result {
  const names = result.fields.map(({ name }) => name);
  const width = names.length;
  result.rows = (result.rows as unknown[][]).map((cells) => {
    const record: Record<string, unknown> = {};
    for (let at = 0; at < width; at++) record[names[at]!] = cells[at];
    return record;
  });
  result.rowAsArray = false;
  return result;
}
