import { and, eq, lt, sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import type { Json } from "../schema/columns.ts";
import { walletPayments } from "../schema/index.ts";

export type WalletPayment = typeof walletPayments.$inferSelect;

/** Which authorization: address and nonce, in lower case. */
export interface PaymentKey {
  payer: string;
  nonce: string;
}

export interface PaymentClaim extends PaymentKey {
  claimToken: string;
  paymentHash: string;
  bodyHash: string;
  call: string;
  amount: number;
  payment: Json;
  requirements: Json;
  validBefore: Date;
  leaseUntil: Date;
  now: Date;
}

const isPayment = ({ payer, nonce }: PaymentKey) =>
  and(eq(walletPayments.payer, payer), eq(walletPayments.nonce, nonce));
const isMine = (key: PaymentKey & { claimToken: string }) =>
  and(isPayment(key), eq(walletPayments.claimToken, key.claimToken));

export async function findWalletPayment(
  db: Db,
  key: PaymentKey,
): Promise<WalletPayment | undefined> {
  const [row] = await db.select().from(walletPayments).where(isPayment(key));
  return row;
}

/** Takes the authorization for one call; false while another has it, or when it was used. What died with it is taken over. */
export async function claimWalletPayment(db: Db, claim: PaymentClaim): Promise<boolean> {
  const { now, ...values } = claim;
  const { payer: _, nonce: __, ...renewed } = values;
  const rows = await db
    .insert(walletPayments)
    .values({ ...values, state: "claimed", createdAt: now })
    .onConflictDoUpdate({
      target: [walletPayments.payer, walletPayments.nonce],
      set: { ...renewed, createdAt: now },
      setWhere: sql`${walletPayments.state} = 'claimed' and ${walletPayments.leaseUntil} < ${instantParam(now)}`,
    })
    .returning({ nonce: walletPayments.nonce });
  return rows.length === 1;
}

/** The call was not charged: the authorization may be used again. */
export async function releaseWalletPayment(
  db: Db,
  key: PaymentKey & { claimToken: string },
): Promise<void> {
  await db
    .delete(walletPayments)
    .where(and(isMine(key), sql`${walletPayments.state} <> 'settled'`));
}

/** Keeps the answer before the money moves, so that it is never lost; false when the claim was lost meanwhile. */
export async function keepWalletAnswer(
  db: Db,
  key: PaymentKey & { claimToken: string },
  answer: { status: number; body: string; leaseUntil: Date },
): Promise<boolean> {
  const rows = await db
    .update(walletPayments)
    .set({
      state: "settling",
      answerStatus: answer.status,
      answerBody: answer.body,
      leaseUntil: answer.leaseUntil,
    })
    .where(isMine(key))
    .returning({ nonce: walletPayments.nonce });
  return rows.length === 1;
}

/** Takes a settlement in doubt over; false while another is at it. */
export async function takeOverSettlement(
  db: Db,
  key: PaymentKey,
  { claimToken, leaseUntil, now }: { claimToken: string; leaseUntil: Date; now: Date },
): Promise<boolean> {
  const rows = await db
    .update(walletPayments)
    .set({ claimToken, leaseUntil })
    .where(
      and(isPayment(key), eq(walletPayments.state, "settling"), lt(walletPayments.leaseUntil, now)),
    )
    .returning({ nonce: walletPayments.nonce });
  return rows.length === 1;
}

/** Ends the lease, so that the wallet's next call settles at once. */
export async function leaveSettlement(
  db: Db,
  key: PaymentKey & { claimToken: string },
  at: Date,
): Promise<void> {
  await db.update(walletPayments).set({ leaseUntil: at }).where(isMine(key));
}

export async function recordSettled(
  db: Db,
  key: PaymentKey & { claimToken: string },
  { transaction, now }: { transaction: string | null; now: Date },
): Promise<void> {
  await db
    .update(walletPayments)
    .set({ state: "settled", transaction, settledAt: now })
    .where(isMine(key));
}

/** Settlements whose worker's lease is over, the oldest first. */
export const openSettlements = (db: Db, before: Date, limit: number): Promise<WalletPayment[]> =>
  db
    .select()
    .from(walletPayments)
    .where(and(eq(walletPayments.state, "settling"), lt(walletPayments.leaseUntil, before)))
    .orderBy(walletPayments.leaseUntil)
    .limit(limit);

/** Forgets claims that died, and the answers of payments that were settled before. */
export async function sweepWalletPayments(
  db: Db,
  { deadBefore, answersBefore }: { deadBefore: Date; answersBefore: Date },
): Promise<void> {
  await db.batch([
    db
      .delete(walletPayments)
      .where(and(eq(walletPayments.state, "claimed"), lt(walletPayments.leaseUntil, deadBefore))),
    db
      .update(walletPayments)
      .set({ answerBody: null })
      .where(
        and(
          eq(walletPayments.state, "settled"),
          lt(walletPayments.settledAt, answersBefore),
          sql`${walletPayments.answerBody} is not null`,
        ),
      ),
  ]);
}
