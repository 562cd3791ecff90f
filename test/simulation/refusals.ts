import { createHash } from "node:crypto";
import type { SendOutcome } from "#db/engine/index.ts";
import type { AttemptEntry, Violation, WireEntry } from "./wire.ts";

/** How recipients and the relay refuse by policy, in words that name nobody. */
export interface RefusalRates {
  /** Share of the recipients who refuse always; every other one of them says that it means the sender. */
  stubborn: number;
  /** When the relay refuses everybody. */
  relay: { from: number; until: number };
}

/** A sender may find out by so many refusals in a row that its relay refuses everybody, once enough domains are among them. */
const MOST_IN_A_ROW = 10;
const DOMAINS_IN_A_ROW = 3;
const MOST_TRIES = 12;
const ATTEMPTS = 6;

/** From 0 to 1, the same for the same name. */
const shareOf = (name: string): number =>
  createHash("sha256").update(name).digest().readUInt32BE() / 2 ** 32;

/** Who refuses when, and what the engine may make of it: the oracle is who it was that refused, which nobody tells the engine. */
export function createRefusals({ stubborn, relay }: RefusalRates, violations: Violation[]) {
  /** By sender: which domains refused it since its last acceptance, and how often since they were enough or it last rested. */
  const rows = new Map<string, { domains: Set<string>; count: number }>();
  const tries = new Map<string, number>();
  const pending = new Map<string, AttemptEntry>();
  const isStubborn = (leadId: string) => shareOf(`stubborn ${leadId}`) < stubborn;
  const blamesSender = (leadId: string) => shareOf(`stubborn ${leadId}`) < stubborn / 2;
  const rowOf = (laneId: string) => rows.get(laneId) ?? { domains: new Set<string>(), count: 0 };
  const keyOf = ({ leadId, step }: AttemptEntry) => `${leadId}/${step}`;

  function judge(entry: AttemptEntry, outcome: SendOutcome): void {
    const count = tries.get(keyOf(entry))!;
    const row = rowOf(entry.laneId);
    const violate = (invariant: string, text: string) =>
      violations.push({ ...entry, invariant, text });
    if (outcome.kind === "retry") {
      const rests = outcome.lane !== "none";
      const isTold = blamesSender(entry.leadId);
      if (rests && !isTold && row.domains.size < DOMAINS_IN_A_ROW && count < ATTEMPTS)
        violate("one recipient rests nobody", `rests after ${row.domains.size} domains in a row`);
      if (!rests && row.count > MOST_IN_A_ROW)
        violate("a relay that refuses everybody lets its sender rest", `${row.count} in a row`);
      if (rests) row.count = 0;
      if (count >= MOST_TRIES) violate("tried a bounded number of times", `${count} times`);
      return;
    }
    if (!isStubborn(entry.leadId) && count < MOST_TRIES)
      violate("a relay that refuses everybody fails nobody", `${outcome.kind} after ${count}`);
  }

  return {
    refuses({ leadId, at }: AttemptEntry): "refused" | "listed" | null {
      if (blamesSender(leadId)) return "listed";
      return isStubborn(leadId) || (at >= relay.from && at < relay.until) ? "refused" : null;
    },
    onRefused(entry: AttemptEntry, domain: string, sendId: string): void {
      const row = rowOf(entry.laneId);
      row.domains.add(domain);
      // All of one company say nothing of the sender, however many they are.
      if (row.domains.size >= DOMAINS_IN_A_ROW) row.count++;
      rows.set(entry.laneId, row);
      tries.set(keyOf(entry), (tries.get(keyOf(entry)) ?? 0) + 1);
      pending.set(sendId, entry);
    },
    onMail: ({ laneId }: WireEntry): void => void rows.delete(laneId),
    onRecorded(outcome: SendOutcome): void {
      const entry = pending.get(outcome.id);
      pending.delete(outcome.id);
      if (entry !== undefined) judge(entry, outcome);
    },
  };
}

export type Refusals = ReturnType<typeof createRefusals>;
