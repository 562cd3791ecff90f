import { and, eq, lt, sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import {
  claimJob,
  endJobStatement,
  isDue,
  isMine,
  type JobClaim,
  type JobQueue,
  overdueJobs,
  WORK_ROW,
} from "../base/job-queue.ts";
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
  and(eq(walletPayments.payer, payer), eq(walletPayments.nonce, nonce))!;

/** Payments whose call is at work or whose money may be moving; the lease is all that they are due by. */
const PAYMENTS: JobQueue<typeof walletPayments> = {
  table: walletPayments,
  fields: { ...WORK_ROW, key: ["payer", "nonce"], dueAt: "leaseUntil", lease: "leaseUntil" },
  isOpen: sql`${walletPayments.state} in ('claimed', 'settling')`,
};
const isSettling = eq(walletPayments.state, "settling");

type Claimed = PaymentKey & { claimToken: string };
const claimantOf = (payment: Claimed) => ({ id: isPayment(payment), token: payment.claimToken });

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
      setWhere: and(isDue(PAYMENTS, now), eq(walletPayments.state, "claimed"))!,
    })
    .returning({ nonce: walletPayments.nonce });
  return rows.length === 1;
}

/** The call was not charged: the authorization may be used again. */
export async function releaseWalletPayment(db: Db, payment: Claimed): Promise<void> {
  await db.delete(walletPayments).where(isMine(PAYMENTS, claimantOf(payment)));
}

/** Keeps the answer before the money moves, so that it is never lost; false when the claim was lost meanwhile. */
export async function keepWalletAnswer(
  db: Db,
  payment: Claimed,
  answer: { status: number; body: string; leaseUntil: Date },
): Promise<boolean> {
  const rows = await endJobStatement(db, PAYMENTS, claimantOf(payment), {
    state: "settling",
    answerStatus: answer.status,
    answerBody: answer.body,
    leaseUntil: answer.leaseUntil,
  });
  return rows.length === 1;
}

/** Takes a settlement in doubt over; false while another is at it. */
export async function takeOverSettlement(
  db: Db,
  key: PaymentKey,
  claim: JobClaim,
): Promise<boolean> {
  const isInDoubt = and(isPayment(key), isSettling)!;
  return (await claimJob(db, PAYMENTS, isInDoubt, claim)).kind === "claimed";
}

/** Ends the lease, so that the wallet's next call settles at once. */
export async function leaveSettlement(db: Db, payment: Claimed, at: Date): Promise<void> {
  await endJobStatement(db, PAYMENTS, claimantOf(payment), { leaseUntil: at });
}

export async function recordSettled(
  db: Db,
  payment: Claimed,
  { transaction, now }: { transaction: string | null; now: Date },
): Promise<void> {
  const set = { state: "settled" as const, transaction, settledAt: now };
  await endJobStatement(db, PAYMENTS, claimantOf(payment), set);
}

/** Settlements whose worker's lease is over, the oldest first. */
export const openSettlements = (db: Db, before: Date, limit: number): Promise<WalletPayment[]> =>
  overdueJobs(db, PAYMENTS, before, limit, isSettling);

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
