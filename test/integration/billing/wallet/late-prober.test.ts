import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { findAnvil } from "../../../../scripts/stack/chain/anvil.ts";
import { startFarm } from "../../../../scripts/stack/farm.ts";
import { buyTooLate, TOO_LATE } from "../../../support/late-call.ts";
import { startWalletSetting } from "../../../support/wallet.ts";

if (findAnvil() === null) console.log("late prober: not run (no anvil)");
test.runIf(findAnvil() !== null)(
  "a prober that says nothing for the call's seconds: 504, not charged",
  async () => {
    let asked = 0;
    const silent = createServer(() => void asked++);
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const farm = await startFarm();
    const prober = {
      VERIFIER_EGRESS: "prober",
      PROBER_URL: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
      PROBER_SECRET: "a-secret-of-the-prober-and-its-callers",
    };
    const world = await startWalletSetting(prober, { farm });
    const path = "/api/x402/v1/email/validate";
    const late = await buyTooLate(world, path, { email: "anna@corp.zz" }, () => asked > 0);
    expect(late).toMatchObject(TOO_LATE);
    silent.closeAllConnections();
    silent.close();
    await Promise.all([world.close(), farm.close()]);
  },
);
