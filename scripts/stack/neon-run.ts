import type { Lease } from "./neon-pool.ts";
import { GatewayError, MAX_BYTES, type SqlRequest, toWireResult } from "./neon-protocol.ts";
import type { Outcome, Statement } from "./neon-session.ts";

const ROLLBACK: Statement = { text: "ROLLBACK", params: [] };
const COMMIT: Statement = { text: "COMMIT", params: [] };
const BEGIN: Statement = { text: "BEGIN", params: [] };
/** Commands that change the session, which no other request may then find. */
const SESSION_COMMAND = /^(SET|PREPARE|LISTEN|DECLARE|LOAD)\b/;

/** Runs a request and ends the lease, with a session as the next one may expect it. Returns the response's body. */
export async function runRequest(
  lease: Lease,
  sql: SqlRequest,
  gone: AbortSignal,
): Promise<string> {
  const { session } = lease;
  let clean = false;
  try {
    const cancel = () => session.cancel();
    const running = session.run(inTransaction(sql), MAX_BYTES);
    if (gone.aborted) cancel();
    gone.addEventListener("abort", cancel);
    const outcome = await running;
    gone.removeEventListener("abort", cancel);
    const isChanged = outcome.results.some(({ tag }) => SESSION_COMMAND.test(tag));
    // A session that a cancel request may still be on its way to is not used again, nor is one in a transaction.
    clean = !gone.aborted && !isChanged && (await leaveTransaction(lease, sql, outcome));
    if (outcome.error !== null) throw outcome.error;
    if (outcome.tooLarge) {
      throw new GatewayError(507, `response is too large (max is ${MAX_BYTES} bytes)`);
    }
    return toBody(sql, outcome);
  } finally {
    lease.end(clean);
  }
}

function inTransaction({ isBatch, statements }: SqlRequest): Statement[] {
  return isBatch ? [BEGIN, ...statements, COMMIT] : statements;
}

/** Rolls a failed batch back; a single query that left a transaction open costs the session. */
async function leaveTransaction(lease: Lease, sql: SqlRequest, outcome: Outcome): Promise<boolean> {
  if (outcome.spoiled || outcome.status === "lost") return false;
  if (outcome.status === "I") return true;
  if (!sql.isBatch) return false;
  return (await lease.session.run([ROLLBACK], MAX_BYTES)).status === "I";
}

function toBody({ isBatch, statements }: SqlRequest, { results }: Outcome): string {
  // A batch's first result is that of BEGIN.
  const offset = isBatch ? 1 : 0;
  const wire = statements.map((_, index) =>
    toWireResult(results[index + offset] ?? { fields: [], rows: [], tag: "" }),
  );
  return JSON.stringify(isBatch ? { results: wire } : wire[0]);
}
