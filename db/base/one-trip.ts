import type { NeonQueryFunction, NeonQueryPromise } from "@neondatabase/serverless";

type Client = NeonQueryFunction<false, false>;
type Query = NeonQueryPromise<false, false>;

interface Waiting {
  statement: Query;
  /** Asks for it by itself. */
  alone(): Promise<unknown>;
  done(result: unknown): void;
  failed(error: unknown): void;
}

let isWaiting = false;

/**
 * What is asked for at once in `ask`, one statement, waits for the next one of the same turn of the event loop and makes
 * one trip with it. Where none comes, it goes by itself.
 */
export function withNext<T>(ask: () => Promise<T>): Promise<T> {
  isWaiting = true;
  try {
    return ask();
  } finally {
    isWaiting = false;
  }
}

/** In microtasks: a read asks for its first statement after five. The Worker works on one request in a turn, so that no other one's is met. */
const WAITS = 50;

/**
 * The client with `withNext`: the two are one transaction, each of which sees what was committed before it. Where Postgres
 * refuses one, both are asked for by themselves, and each has its own error.
 */
export function inOneTrip(client: Client, isRefused: (error: unknown) => boolean): Client {
  const { query, transaction } = client;
  let waiting: Waiting | null = null;

  const take = (): Waiting | null => {
    const taken = waiting;
    waiting = null;
    return taken;
  };

  async function waitWith(one: Waiting): Promise<void> {
    const before = take();
    if (before !== null) goAlone(before);
    waiting = one;
    for (let hop = 0; hop < WAITS && waiting === one; hop++) await Promise.resolve();
    if (waiting !== one) return;
    take();
    goAlone(one);
  }

  const goAlone = (one: Waiting): void => void one.alone().then(one.done, one.failed);

  async function together(
    first: Waiting,
    queries: Query[],
    options: object | undefined,
    alone: () => Promise<unknown[]>,
  ): Promise<unknown[]> {
    try {
      const results = await transaction([first.statement, ...queries], options);
      const [own, ...others] = results as unknown[];
      first.done(own);
      return others;
    } catch (error) {
      if (!isRefused(error)) {
        first.failed(error);
        throw error;
      }
    }
    goAlone(first);
    return alone();
  }

  const queryTogether = ((...order) => {
    const statement = query(...order);
    const waits = isWaiting;
    const { execute } = statement;
    const mine = statement as unknown as Query;
    // Runs only where it is awaited: in a batch it is what `transaction` reads.
    return Object.assign(statement, {
      async execute(...run: Parameters<typeof execute>) {
        const alone = async () => execute(...run);
        if (waits)
          return new Promise((done, failed) => {
            void waitWith({ statement: mine, alone, done, failed });
          });
        const first = take();
        if (first === null) return execute(...run);
        return (await together(first, [mine], undefined, async () => [await alone()]))[0];
      },
    });
  }) as Client["query"];
  const transactionTogether = (async (queries: Query[], options?: object) => {
    const alone = async () => (await transaction(queries, options)) as unknown[];
    const first = take();
    return first === null ? alone() : together(first, queries, options, alone);
  }) as unknown as Client["transaction"];
  return Object.assign(client, { query: queryTogether, transaction: transactionTogether });
}
