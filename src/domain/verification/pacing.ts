import {
  releaseConnection,
  reserveConnection,
  restOperator,
  strikeOperator,
} from "#db/probe-operators.ts";
import type { Deps } from "#src/deps.ts";
import type { ProbeTranscript } from "#src/providers/probe/index.ts";
import { opinionsOf, refusesUs } from "./decide.ts";

type Pacer = Pick<Deps, "db" | "clock" | "settings">;

export interface Lease {
  operator: string;
  until: Date;
}

/** How long a caller waits for its turn; the rest of its time is the mail host's. */
const PATIENCE_MS = 3_000;
/** Between two looks whether a connection was given back early. */
const LOOK_MS = 250;
/** An operator that refused us is left alone for so long. */
const REST_MS = 15 * 60_000;
/** Domains of one operator that must refuse us at a recipient before the operator rests. */
const STRIKES = 3;

/** A connection to the operator when it is our turn; null when that is too far ahead, or the operator rests. */
export async function takeTurn(
  { db, clock, settings }: Pacer,
  operator: string,
  leaseMs: number,
): Promise<Lease | null> {
  const until = clock.now().getTime() + PATIENCE_MS;
  for (;;) {
    const now = clock.now();
    const patienceMs = until - now.getTime();
    if (patienceMs < 0) return null;
    const rules = { ...settings.verifier.pacing, patienceMs, leaseMs: leaseMs + PATIENCE_MS };
    const turn = await reserveConnection(db, operator, now, rules);
    if (turn.kind === "resting") return null;
    if (turn.kind === "granted") {
      await clock.sleepUntil(turn.startAt);
      return { operator, until: turn.leaseUntil };
    }
    await clock.sleepUntil(new Date(now.getTime() + LOOK_MS));
  }
}

/** Gives the connection back, once it is closed, and lets the operator rest if it refused us. */
export async function endTurn(
  { db, clock }: Pacer,
  { operator, until }: Lease,
  domain: string,
  transcript: ProbeTranscript,
): Promise<void> {
  await releaseConnection(db, operator, until);
  const now = clock.now();
  const restUntil = new Date(now.getTime() + REST_MS);
  if (refusesUs(transcript)) await restOperator(db, operator, restUntil);
  else if (opinionsOf(transcript).some(({ verdict }) => verdict === "policy"))
    await strikeOperator(db, operator, domain, {
      now,
      since: new Date(now.getTime() - REST_MS),
      until: restUntil,
      limit: STRIKES,
    });
}
