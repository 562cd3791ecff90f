import type { NeonQueryFunction, NeonQueryPromise } from "@neondatabase/serverless";
import { drizzle } from "drizzle-orm/neon-http";
import { type Db, UNIQUE_VIOLATION, violates } from "./client.ts";
import { type Precondition, revisionStatements, type SqlText } from "./revisions.ts";
import { planRows } from "./row-plan.ts";

type Client = NeonQueryFunction<false, false>;
type Query = NeonQueryPromise<false, false>;

/** A row of which there can be one only: the request whose transaction inserts it has the claim. */
export interface Claim {
  /** The insert, built when it goes out. */
  statement(): SqlText;
  /** The unique constraint that a second insert violates. */
  constraint: string;
}

/** What the first write of a request has with it. */
export interface FirstWrite {
  claim?: Claim | undefined;
  /** The write is refused unless the record is as its caller knows it (`isMismatch`). */
  precondition?: Precondition | undefined;
}

/** `none`: nothing was written; `lost`: another request has it, and this one has written nothing. */
export type ClaimEnd = "none" | "taken" | "lost";

export interface ClaimingDb {
  db: Db;
  /** Takes the claim by itself, before anything else is done, where the precondition holds then. */
  claimFirst(): Promise<void>;
  /** Of a request that has written nothing: throws where its precondition does not hold. */
  confirm(): Promise<void>;
  /** From here on what is written, in the background too, is not this request's claim any more. */
  end(): Promise<ClaimEnd>;
}

/**
 * The database for one request: the first statement or batch that writes goes out in one transaction with the claim, so
 * that either both take effect or neither. A write that fails gives the claim back, and the next one takes it; a write
 * beside it waits until that is known; one without the claim is undone, and so is all that is tried after it. The same
 * write stands between the two statements of the precondition.
 */
export function claimingDb(db: Db, { claim, precondition }: FirstWrite): ClaimingDb {
  const client = (db as Db & { $client: Client }).$client;
  let state: ClaimEnd | "ended" = "none";
  let loss: unknown;
  let underWay: Promise<unknown> | undefined;
  const condition = precondition && revisionStatements(precondition);
  let isConditional = condition !== undefined;
  const isFirst = () => isConditional || (state === "none" && claim !== undefined);
  const queryOf = ({ sql, params }: SqlText) => client.query(sql, params);

  async function takeWith(queries: Query[], options?: object): Promise<unknown[]> {
    const before = isConditional ? [queryOf(condition!.before)] : [];
    if (state === "none" && claim !== undefined) before.push(queryOf(claim.statement()));
    const isWrite = queries.length > 0;
    const behind = isConditional && isWrite ? [queryOf(condition!.behind)] : [];
    try {
      // Together with its repetition after a deadlock: what Postgres aborted has left no claim.
      const results = await client.transaction([...before, ...queries, ...behind], options);
      if (claim !== undefined && state === "none") state = "taken";
      if (isWrite) isConditional = false;
      return results.slice(before.length, before.length + queries.length);
    } catch (error) {
      if (claim !== undefined && violates(error, UNIQUE_VIOLATION, claim.constraint)) {
        state = "lost";
        loss = error;
      }
      throw error;
    }
  }

  async function write<T>(behindClaim: () => Promise<T>, plainly: () => Promise<T>): Promise<T> {
    while (underWay !== undefined) await underWay;
    if (state === "lost") throw loss;
    if (!isFirst()) return plainly();
    const taking = behindClaim();
    underWay = taking
      .catch(() => {})
      .then(() => {
        underWay = undefined;
      });
    return taking;
  }

  const query: Client["query"] = (...order) => {
    const statement = client.query(...order);
    if (!isWrite(order[0])) return statement;
    const { execute } = statement;
    // Runs only where it is awaited: in a batch it is what `transaction` reads.
    return Object.assign(statement, {
      execute: (...run: Parameters<typeof execute>) =>
        write(
          async () => (await takeWith([statement as unknown as Query]))[0],
          () => execute(...run),
        ),
    });
  };
  const transaction = async (queries: Query[], options?: object) => {
    const plainly = (): Promise<unknown[]> => client.transaction(queries, options);
    const writes = queries.some(
      ({ queryData }) => "query" in queryData && isWrite(queryData.query),
    );
    return writes ? write(() => takeWith(queries, options), plainly) : plainly();
  };

  return {
    // Without the schema, which only the library's relational queries read, and which takes a while to read.
    db: planRows(drizzle({ client: { query, transaction } as unknown as Client })) as unknown as Db,
    async claimFirst() {
      await write(
        () => takeWith([]),
        async () => [],
      );
    },
    async confirm() {
      if (isConditional) await client.transaction([queryOf(condition!.before)]);
    },
    async end() {
      while (underWay !== undefined) await underWay;
      const end = state === "ended" ? "none" : state;
      state = "ended";
      return end;
    },
  };
}

const WRITE =
  /\b(?:insert\s+into|delete\s+from|merge\s+into|truncate|engine_\w+\s*\()|(?<!\bfor\s+(?:no\s+key\s+)?)\bupdate\s/i;

/** Whether a statement may change rows: by the words that do so anywhere in it, and by the functions that do. */
export const isWrite = (text: string): boolean => WRITE.test(text);
