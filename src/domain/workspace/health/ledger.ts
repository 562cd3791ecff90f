import type { Component } from "./check.ts";

const LATE_MS = 24 * 3_600_000;

export interface LedgerAudit {
  beganAt: Date | null;
  completedAt: Date | null;
  /** Workspaces whose balance does not add up. */
  wrong: number;
}

/** The last audit's result on the credit ledger, and whether audits still run. */
export function ledgerComponent(
  { beganAt, completedAt, wrong }: LedgerAudit,
  now: Date,
): Omit<Component, "latency_ms"> {
  const last =
    completedAt === null ? "no audit is complete yet" : `last audit ${completedAt.toISOString()}`;
  if (wrong > 0) return { status: "degraded", detail: `${unbalanced(wrong)}; ${last}` };
  const since = completedAt ?? beganAt;
  const isLate = since !== null && now.getTime() - since.getTime() > LATE_MS;
  return isLate
    ? {
        status: "degraded",
        detail: `${last}: the heartbeat's audit does not come round, the log says why`,
      }
    : { status: "healthy", detail: last };
}

const unbalanced = (wrong: number) =>
  `${wrong === 1 ? "1 workspace's balance is" : `${wrong} workspaces' balances are`} not the sum of the entries or holds: ` +
  "the log names them (ledger_discrepancy), docs/design/credits.md says how to mend them";
