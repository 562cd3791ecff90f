import { expect, test } from "vitest";
import type { Dns } from "#src/providers/dns/index.ts";
import type { Dial, DialTarget } from "#src/providers/mail/index.ts";
import { createGuardedDial } from "#src/providers/net/guarded-dial.ts";

/** DNS that answers another address each time, as an attacker's does. */
function rebinding(...addresses: string[]): Dns {
  return {
    lookup: () => Promise.resolve({ kind: "no_data" }),
    addresses: () => Promise.resolve({ kind: "records", records: [addresses.shift()!] }),
  };
}

function recording(): { dial: Dial; targets: DialTarget[] } {
  const targets: DialTarget[] = [];
  const dial: Dial = (target) => {
    targets.push(target);
    return Promise.reject(new Error("nobody there"));
  };
  return { dial, targets };
}

const rules = { loopback: false, ports: [25, 465, 587, 2525] };
const target = { host: "smtp.acme.zz", port: 587, tls: false, startTlsLater: true };

test("the address that was judged is dialled, under the name that TLS verifies", async () => {
  const { dial, targets } = recording();
  const guarded = createGuardedDial(dial, rebinding("93.184.216.34", "127.0.0.1"), rules);
  for (let time = 0; time < 2; time++) await expect(guarded(target)).rejects.toThrow("nobody");
  expect(targets).toEqual([
    { ...target, address: "93.184.216.34" },
    { ...target, address: "93.184.216.34" },
  ]);
});

test("other ports than those of mail are not dialled, on this machine all where it is allowed", async () => {
  const { dial, targets } = recording();
  const guarded = createGuardedDial(dial, rebinding("93.184.216.34"), rules);
  await expect(guarded({ ...target, port: 6379 })).rejects.toThrow("25, 465, 587, 2525");
  const here = { ...target, host: "localhost", port: 6379 };
  await expect(guarded(here)).rejects.toThrow("the machine itself");
  expect(targets).toEqual([]);
  const local = createGuardedDial(dial, rebinding(), { ...rules, loopback: true });
  await expect(local(here)).rejects.toThrow("nobody");
  expect(targets).toEqual([{ ...here, address: "127.0.0.1" }]);
});

test("the operator's own relay is dialled at its port, which opens that port at no other host", async () => {
  const { dial, targets } = recording();
  const own = { host: "mail.acme.zz", port: 2587 };
  const guarded = createGuardedDial(dial, rebinding("93.184.216.34", "93.184.216.35"), {
    ...rules,
    ownRelay: own,
  });
  await expect(guarded({ ...target, ...own })).rejects.toThrow("nobody");
  expect(targets).toEqual([{ ...target, ...own, address: "93.184.216.34" }]);
  await expect(guarded({ ...target, port: own.port })).rejects.toThrow("25, 465, 587, 2525");
  const within = createGuardedDial(dial, rebinding("10.0.0.7"), { ...rules, ownRelay: own });
  await expect(within({ ...target, ...own })).rejects.toThrow("public hosts only");
});
