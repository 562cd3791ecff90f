import type { Part } from "../part.ts";
import { findAnvil, startAnvil } from "./anvil.ts";
import type { Ledger } from "./ledger.ts";

export interface Chain {
  /** The facilitator: what the Worker speaks with. */
  part: Part;
  rpcUrl: string;
  ledger: Ledger;
  close(): Promise<void>;
}

/** A chain with USDC on it, a funded buyer and a facilitator; null where there is no anvil for this machine. */
export async function startChain(ports: {
  rpc: number;
  facilitator: number;
}): Promise<Chain | null> {
  const binary = findAnvil();
  if (binary === null) return null;
  const anvil = await startAnvil(binary, ports.rpc);
  try {
    // Large packages, which most of what imports the stack never needs.
    const [{ openLedger }, { startFacilitator }] = await Promise.all([
      import("./ledger.ts"),
      import("./facilitator.ts"),
    ]);
    const ledger = openLedger(anvil.rpcUrl);
    await ledger.deploy();
    const part = await startFacilitator({ port: ports.facilitator, ledger });
    return {
      part,
      rpcUrl: anvil.rpcUrl,
      ledger,
      async close() {
        await part.close();
        await anvil.close();
      },
    };
  } catch (error) {
    await anvil.close();
    throw error;
  }
}
