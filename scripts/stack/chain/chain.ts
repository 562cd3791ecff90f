import type { Part } from "../part.ts";
import { findAnvil, startAnvil } from "./anvil.ts";
import { startFacilitator } from "./facilitator.ts";
import type { OpenChain } from "./open-chain.ts";

export interface Chain {
  /** The facilitator: what the Worker speaks with. */
  part: Part;
  rpcUrl: string;
  /** Resolves when USDC is on the chain; until then the facilitator lets its callers wait. */
  open(): Promise<OpenChain>;
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
  let opening: Promise<OpenChain> | null = null;
  const open = () =>
    (opening ??= import("./open-chain.ts").then(({ openChain }) => openChain(anvil.rpcUrl)));
  try {
    const part = await startFacilitator({ port: ports.facilitator, open });
    return {
      part,
      rpcUrl: anvil.rpcUrl,
      open,
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
