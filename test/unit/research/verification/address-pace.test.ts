import { expect, test } from "vitest";
import type { Dial, Duplex } from "#src/providers/mail/index.ts";
import { AddressBusy } from "#src/providers/probe/index.ts";
import { paceByAddress } from "#functions/smtp-prober/address-pace.ts";

const duplex = (): Duplex => ({
  readable: new ReadableStream(),
  writable: new WritableStream(),
  startTls: async () => duplex(),
  close: async () => {},
});

/** Dials at a clock that a wait moves, and notes when each was dialled. */
function pacedBy(intervalMs: number, dial: Dial = async () => duplex()) {
  let now = 0;
  const dialled: string[] = [];
  const clock = {
    now: () => new Date(now),
    sleepUntil: async (at: Date) => void (now = Math.max(now, at.getTime())),
  };
  const noting: Dial = (target) => {
    dialled.push(`${target.address} at ${now}`);
    return dial(target);
  };
  const paced = paceByAddress(noting, clock, {
    intervalMs,
    isKnown: (host) => host === "mx.known.zz",
  });
  const to = (address: string, host = `mx.${dialled.length}.zz`) =>
    paced({ host, address, port: 25, tls: false, startTlsLater: true });
  return { to, dialled };
}

test("an address is connected to once a second, and another beside it at once", async () => {
  const { to, dialled } = pacedBy(1_000);
  for (const address of ["1.1.1.1", "2.2.2.2", "1.1.1.1", "2.2.2.2"]) {
    const connection = await to(address);
    await connection.close();
  }
  expect(dialled).toEqual(["1.1.1.1 at 0", "2.2.2.2 at 0", "1.1.1.1 at 1000", "2.2.2.2 at 1000"]);
});

test("a third connection at a time is refused, until one of the two is closed, under TLS or not", async () => {
  const { to } = pacedBy(0);
  const first = await to("1.1.1.1");
  const second = await (await to("1.1.1.1")).startTls();
  await expect(to("1.1.1.1")).rejects.toThrow(AddressBusy);
  await to("2.2.2.2");
  await second.close();
  await second.close();
  await to("1.1.1.1");
  await expect(to("1.1.1.1")).rejects.toThrow(AddressBusy);
  await first.close();
  await to("1.1.1.1");
});

test("names of strangers at an operator's address take none of its own places", async () => {
  const { to, dialled } = pacedBy(0);
  for (let opened = 0; opened < 2; opened++) await to("1.1.1.1");
  await expect(to("1.1.1.1")).rejects.toThrow(AddressBusy);
  await to("1.1.1.1", "mx.known.zz");
  expect(dialled).toHaveLength(3);
});

test("a connection that does not come about holds no place", async () => {
  const { to } = pacedBy(0, () => Promise.reject(new Error("refused")));
  for (let tried = 0; tried < 3; tried++) await expect(to("1.1.1.1")).rejects.toThrow("refused");
});
