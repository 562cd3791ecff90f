import { createDohDns } from "#src/providers/dns/doh.ts";
import type { Dns } from "#src/providers/dns/index.ts";
import type { Dial } from "#src/providers/mail/index.ts";
import { dialAtPorts } from "./dial-ports.ts";
import { type DnsPart, startDns } from "./dns.ts";
import { type Farm, startFarm } from "./farm.ts";
import type { FarmTable } from "./farm/table.ts";
import { createNodeDial } from "./node-dial.ts";

/** A farm and all that a probe in Node needs to reach it, over real sockets and the product's own DNS client. */
export interface FarmWorld {
  farm: Farm;
  dnsPart: DnsPart;
  dns: Dns;
  /** Finds the farm's hosts by their names, and trusts their certificates. */
  dial: Dial;
  close(): Promise<void>;
}

export async function openFarmWorld(table: FarmTable): Promise<FarmWorld> {
  const farm = await startFarm({ table });
  const dnsPart = await startDns({ names: farm.names });
  return {
    farm,
    dnsPart,
    dns: createDohDns({ fetch, resolverUrls: dnsPart.resolverUrls }),
    dial: dialAtPorts(createNodeDial({ ca: farm.ca }), farm.ports),
    close: async () => void (await Promise.all([farm.close(), dnsPart.close()])),
  };
}
