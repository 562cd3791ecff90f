import { createDohDns } from "#src/providers/dns/doh.ts";
import type { Dns } from "#src/providers/dns/index.ts";
import type { Dial } from "#src/providers/mail/index.ts";
import { dialAtPorts } from "../stack/dial-ports.ts";
import { type DnsPart, startDns } from "../stack/dns.ts";
import { type Farm, startFarm } from "../stack/farm.ts";
import type { FarmTable } from "../stack/farm/table.ts";
import { createNodeDial } from "../stack/node-dial.ts";

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
