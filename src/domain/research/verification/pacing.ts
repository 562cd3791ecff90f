import {
  releaseConnection,
  reserveConnection,
  restOperator,
  strikeOperator,
} from "#db/research/probe-operators.ts";
import type { Deps } from "#src/deps.ts";
import type { ProbeTranscript } from "#src/providers/probe/index.ts";
import { refusesUs, refusesUsAtRecipient } from "./decide.ts";

type Pacer = Pick<Deps, "db" | "clock" | "ids" | "settings">;

export interface Lease {
  operator: string;
  startAt: Date;
  leaseUntil: Date;
  minuteAt: Date;
  /** That were reckoned with. */
  recipients: number;
}

/** How long a caller waits for its turn; the rest of its time is the mail host's. */
const PATIENCE_MS = 3_000;
/** Between two looks whether a connection was given back early. */
const LOOK_MS = 250;
/** An operator that refused us is left alone for so long. */
const REST_MS = 15 * 60_000;
/** Domains of one operator that must refuse us at a recipient before the operator rests. */
const STRIKES = 3;

export interface Need {
  operator: string;
  leaseMs: number;
  /** A caller waits for the answer. */
  isUrgent: boolean;
  /** How many recipients the connection may name. */
  recipients: number;
}

/** A connection to the operator when it is our turn; null when that is too far ahead, or the operator rests. */
export async function acquireConnection(
  { db, clock, ids, settings }: Pacer,
  { leaseMs, ...need }: Need,
): Promise<Lease | null> {
  const caller = ids.uuid();
  const until = clock.now().getTime() + PATIENCE_MS;
  for (;;) {
    const now = clock.now();
    const patienceMs = until - now.getTime();
    if (patienceMs < 0) return null;
    const turn = { ...need, caller, patienceMs, leaseMs: leaseMs + PATIENCE_MS };
    const answer = await reserveConnection(db, turn, now, settings.verifier.pacing);
    if (answer.kind === "resting") return null;
    if (answer.kind === "granted") {
      await clock.sleepUntil(answer.startAt);
      return { ...need, ...answer };
    }
    await clock.sleepUntil(new Date(now.getTime() + LOOK_MS));
  }
}

const namedIn = ({ connections, opinions }: ProbeTranscript): number =>
  connections.flatMap(({ exchanges }) => exchanges.filter(({ recipient }) => recipient)).length +
  opinions.length;

/** Gives the connection back, once it is closed, and lets the operator rest if it refused us. */
export async function endConnection(
  { db, clock }: Pacer,
  lease: Lease,
  domain: string,
  transcript: ProbeTranscript,
): Promise<void> {
  const { operator, recipients } = lease;
  const { connections } = transcript;
  await releaseConnection(db, operator, lease, {
    unnamed: recipients - namedIn(transcript),
    wasMade: connections.length === 0 || connections.some(({ end }) => end !== "paced"),
  });
  const now = clock.now();
  const restUntil = new Date(now.getTime() + REST_MS);
  if (refusesUs(transcript)) await restOperator(db, operator, restUntil);
  else if (refusesUsAtRecipient(transcript))
    await strikeOperator(db, operator, domain, {
      now,
      since: new Date(now.getTime() - REST_MS),
      until: restUntil,
      limit: STRIKES,
    });
}
