import { signInbound } from "#src/domain/replies/inbound/signature.ts";
import { bundleWorker } from "../bundle.ts";
import { type Workerd, startWorkerd } from "../workerd.ts";
import type { InboundEmail } from "../worker-link.ts";

export const ROUTER_ENTRY = "src/router/router-worker.ts";

export interface RouterProcess extends Workerd {
  /** As Cloudflare's Email Routing would bring it; by HTTP, since bare workerd has no such event. */
  email(mail: InboundEmail): Promise<{ rejected: string | null }>;
}

/** The router in a workerd of its own, before cells by their names and addresses (host:port); the first is the first cell. */
export async function startRouterProcess(options: {
  port: number;
  cells: Record<string, string>;
  cellsSecret: string;
  inboundSecret: string;
  onOutput?: ((line: string) => void) | undefined;
}): Promise<RouterProcess> {
  const { port, cells, cellsSecret, inboundSecret, onOutput } = options;
  const { file } = await bundleWorker(ROUTER_ENTRY);
  const workerd = await startWorkerd({
    bundle: file,
    port,
    hasEvents: false,
    env: {
      CELLS: Object.keys(cells).join(","),
      CELLS_SECRET: cellsSecret,
      INBOUND_SECRET: inboundSecret,
    },
    services: Object.fromEntries(
      Object.entries(cells).map(([name, address]) => [`CELL_${name.toUpperCase()}`, address]),
    ),
    ...(onOutput && { onOutput }),
  });
  return {
    ...workerd,
    async email({ from, to, raw: given }) {
      const raw = new Uint8Array(typeof given === "string" ? Buffer.from(given) : given);
      const reply = await fetch(`${workerd.url}/api/v1/mailer/inbound`, {
        method: "POST",
        body: raw,
        headers: {
          "content-type": "message/rfc822",
          "x-envelope-from": from,
          "x-envelope-to": to,
          "overture-signature": await signInbound(inboundSecret, { at: new Date(), to, raw }),
        },
      });
      const text = await reply.text();
      if (!reply.ok) throw new Error(`the router took no mail: ${reply.status} ${text}`);
      return { rejected: null };
    },
  };
}
