import type { Lease } from "./neon-pool.ts";
import { GatewayError, MAX_BYTES, type SqlRequest, toWireResult } from "./neon-protocol.ts";
import type { Outcome, Statement } from "./neon-session.ts";

const ROLLBACK: Statement = { text: "ROLLBACK", params: [] };
const COMMIT: Statement = { text: "COMMIT", params: [] };
const DISCARD_ALL: Statement = { text: "DISCARD ALL", params: [] };
/** Commands that change the session, which the next request would then find changed. */
const SESSION_COMMANDS = new Set([
  "SET",
  "RESET",
  "PREPARE",
  "DEALLOCATE",
  "LISTEN",
  "UNLISTEN",
  "DECLARE",
  "LOAD",
]);

/** Runs a request and ends the lease, with a session as the next one may expect it. Returns the response's body. */
export async function runRequest(
  lease: Lease,
  sql: SqlRequest,
  gone: AbortSignal,
): Promise<string> {
  const { session } = lease;
  let clean = false;
  let used = false;
  try {
    const cancel = () => session.cancel();
    const running = session.run(inTransaction(sql), MAX_BYTES);
    if (gone.aborted) cancel();
    gone.addEventListener("abort", cancel);
    const outcome = await running;
    gone.removeEventListener("abort", cancel);
    used = outcome.results.some((result) => SESSION_COMMANDS.has(firstWord(result.tag)));
    // A session that a cancel request may still be on its way to is not used again, nor is one in a transaction.
    clean = !gone.aborted && (await leaveTransaction(lease, sql, outcome));
    if (outcome.error !== null) throw outcome.error;
    if (outcome.tooLarge) {
      throw new GatewayError(507, `response is too large (max is ${MAX_BYTES} bytes)`);
    }
    return toBody(sql, outcome);
  } finally {
    if (clean && used) {
      void session.run([DISCARD_ALL], MAX_BYTES).then(({ status, error }) => {
        lease.end(status === "I" && error === null);
      });
    } else {
      lease.end(clean);
    }
  }
}

function inTransaction({ begin, statements }: SqlRequest): Statement[] {
  return begin === null ? statements : [{ text: begin, params: [] }, ...statements, COMMIT];
}

/** Rolls a failed batch back; a single query that left a transaction open costs the session. */
async function leaveTransaction(lease: Lease, sql: SqlRequest, outcome: Outcome): Promise<boolean> {
  if (outcome.spoiled || outcome.status === "lost") return false;
  if (outcome.status === "I") return true;
  if (sql.begin === null) return false;
  return (await lease.session.run([ROLLBACK], MAX_BYTES)).status === "I";
}

function toBody(sql: SqlRequest, { results }: Outcome): string {
  // A batch's first result is that of BEGIN.
  const offset = sql.begin === null ? 0 : 1;
  const wire = sql.statements.map(({ arrayMode }, index) => {
    const result = results[index + offset];
    return toWireResult(result ?? { fields: [], rows: [], tag: "" }, arrayMode);
  });
  return JSON.stringify(sql.begin === null ? wire[0] : { results: wire });
}

function firstWord(tag: string): string {
  const end = tag.indexOf(" ");
  return end === -1 ? tag : tag.slice(0, end);
}
