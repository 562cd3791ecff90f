import { expect } from "vitest";
import { commit } from "#db/base/client.ts";
import { grantStatement, takeBackStatement } from "#db/billing/credits.ts";
import type { Charge } from "#src/domain/billing/credits/charge.ts";
import { hold, settle, throwInsufficient } from "#src/domain/billing/credits/charge.ts";
import type { Tenant, TestApi } from "./api.ts";
import { meetAtRow } from "./locks.ts";

export interface Balance {
  available: number;
  held: number;
  owed: number;
}

const SUMS = {
  balance: "select available, held, owed from credit_balances where workspace_id = $1",
  entries: `select coalesce(sum(available_delta), 0)::int as available, coalesce(sum(held_delta), 0)::int as held,
              coalesce(sum(owed_delta), 0)::int as owed from credit_entries where workspace_id = $1`,
  holds: `select coalesce(sum(amount), 0)::int as held from credit_holds where workspace_id = $1 and returned_at is null`,
};

/** The ledger of one workspace, as a test reads and moves it. */
export function ledgerOf({ deps, sql }: TestApi, { workspaceId }: Pick<Tenant, "workspaceId">) {
  const read = async (what: keyof typeof SUMS) =>
    (await sql.query(SUMS[what], [workspaceId])).rows[0];
  const balance = (): Promise<Balance> => read("balance");
  const change = (refId: string, amount: number) => ({
    id: deps.ids.uuid(),
    workspaceId,
    amount,
    ref: { type: "test", id: refId },
    now: deps.clock.now(),
  });
  const charge = (refIds: string[]): Charge => ({
    workspaceId,
    refType: "personalization_draft",
    refIds,
  });
  return {
    balance,
    charge,
    grant: (
      refId: string,
      amount: number,
      kind: "grant" | "refund_failed" | "dispute_won" = "grant",
    ) => commit(deps.db, [grantStatement(deps.db, { ...change(refId, amount), kind })]),
    takeBack: (refId: string, amount: number, kind: "refund" | "dispute" = "refund") =>
      commit(deps.db, [takeBackStatement(deps.db, { ...change(refId, amount), kind })]),
    hold: (refIds: string[], heldMs?: number) =>
      commit(deps.db, [hold(deps, charge(refIds), heldMs)]).catch(
        throwInsufficient(charge(refIds)),
      ),
    async end(refIds: string[], spent: boolean) {
      const [first, ...rest] = settle(deps, charge(refIds), () => spent);
      if (first !== undefined) await commit(deps.db, [first, ...rest]);
    },
    async kinds(refType = "personalization_draft"): Promise<Record<string, number>> {
      const { rows } = await sql.query(
        "select kind, count(*)::int as count from credit_entries where workspace_id = $1 and ref_type = $2 group by kind",
        [workspaceId, refType],
      );
      return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]));
    },
    /** Lets all begin before the first gets the balance, which then goes from one to the next. */
    meet: (...calls: (() => Promise<unknown>)[]) =>
      meetAtRow(
        sql,
        "select from credit_balances where workspace_id = $1 for update",
        [workspaceId],
        calls,
      ),
    /** What must be true whatever happened. */
    async expectSound() {
      const [has, entries, holds] = [await balance(), await read("entries"), await read("holds")];
      expect(entries, "the sum of entries is the balance").toEqual(has);
      expect(holds.held, "what is held is the sum of open holds").toBe(has.held);
      for (const value of Object.values(has)) expect(value).toBeGreaterThanOrEqual(0);
      if (has.owed > 0) expect(has.available, "what is owed is paid first").toBe(0);
    },
  };
}
export type Ledger = ReturnType<typeof ledgerOf>;
