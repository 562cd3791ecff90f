import { expect, vi } from "vitest";
import type { Bought, WalletSetting } from "./wallet.ts";

const PURSE = 1_000_000;
/** The longest of the five. */
const CALL_SECONDS = 12;

export const TOO_LATE = {
  status: 504,
  body: { detail: "UPSTREAM_TIMEOUT" },
  receipt: null,
  paid: 0,
};

/** Buys, and lets the call's seconds pass as soon as somebody was asked who says nothing; with what was paid. */
export async function buyTooLate(
  world: WalletSetting,
  path: string,
  body: unknown,
  isAsked: () => boolean,
): Promise<Bought & { paid: number }> {
  const buyer = await world.buyer(PURSE);
  const sent = world.send(path, body, await buyer.sign(path));
  await vi.waitFor(() => expect(isAsked()).toBe(true), { timeout: 5_000, interval: 5 });
  world.api.advance(CALL_SECONDS);
  const bought = await sent;
  return { ...bought, paid: PURSE - (await buyer.balance()) };
}
