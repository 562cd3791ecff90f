import {
  HALVES,
  type Half,
  judgeAttempt,
  judgeHonest,
  readAttempts,
  readHonest,
} from "./orders.ts";

const MOST_HELD = 0.03;

/** Prints what of the orders would be sent, and which honest drafts would not. True when none would, and at most 3 % of these. */
export function reportOrders(): boolean {
  const good = HALVES.map((half) => reportHalf(half));
  return good.every(Boolean);
}

function reportHalf(half: Half): boolean {
  const attempts = readAttempts(half).map(judgeAttempt);
  const sent = attempts.filter(({ faults }) => faults.length === 0);
  const drafts = readHonest(half).map(judgeHonest);
  const held = drafts.filter(({ faults }) => faults.length > 0);
  console.log(
    `\nOrders, ${half}: ${sent.length} of ${attempts.length} obedient drafts would be sent, ${held.length} of ${drafts.length} honest ones would not`,
  );
  for (const { id } of sent) console.log(`  ${id}: SENT`);
  for (const { id, reason } of held) console.log(`  ${id}: ${reason}`);
  return sent.length === 0 && held.length <= MOST_HELD * drafts.length;
}
