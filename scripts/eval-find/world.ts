import "../stack/warp.ts";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import type { Deps } from "#src/deps.ts";
import { readConfig } from "#src/config.ts";
import { systemClock, systemRandomBytes } from "#src/platform/system.ts";
import { createDepsFactory } from "#src/wiring.ts";
import { openFarmWorld } from "../stack/farm-world.ts";
import type { FarmTable } from "../stack/farm/table.ts";
import { keptSecrets } from "../stack/secrets.ts";
import { startStack } from "../stack/stack.ts";

export interface Finder {
  deps: Deps;
  /** Resolves when what was left to be done after the answers is done. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** The product's own finder in Node, over the local stack's database and this farm instead of the stack's own. */
export async function openFinder(table: FarmTable): Promise<Finder> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "overture-eval-find-"));
  const stack = await startStack({
    secrets: keptSecrets(path.join(folder, "secrets.json")),
    instance: "eval-find",
    durable: false,
  });
  const world = await openFarmWorld(table);
  const config = readConfig({
    ...stack.workerEnv("http://127.0.0.1:8787"),
    DNS_RESOLVER_URLS: world.dnsPart.resolverUrls.join(","),
    VERIFIER_EGRESS: "direct",
    PROBE_INTERVAL_MS: "0",
    PROBE_RECIPIENTS_PER_MINUTE: "0",
  });
  const createDeps = createDepsFactory(config, {
    fetch,
    dial: world.dial,
    clock: systemClock,
    randomBytes: systemRandomBytes,
    writeLog() {},
  });
  const work = new Set<Promise<unknown>>();
  return {
    deps: createDeps((each) => void work.add(each)),
    async settled() {
      const begun = [...work];
      work.clear();
      await Promise.all(begun);
    },
    async close() {
      await world.close();
      await stack.close();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}
