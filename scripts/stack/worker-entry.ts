/**
 * What the local stack runs in workerd: the Worker itself, with a clock that can be moved, and beside it, on a socket
 * of its own, what Cloudflare would do to it (cron, inbound mail, queues) and what the stack's clock needs.
 */
// First, so that everything after it reads the warped Date.
import { setWarpOffsetMs, warpOffsetMs } from "./warp.ts";
import { env as bindings } from "cloudflare:workers";
import { createHandlers, dialFromWorkers } from "#src/worker.ts";
import { createActivity } from "./activity.ts";
import { openBatch } from "./batch.ts";
import { dialAtPorts, type DialPorts } from "./dial-ports.ts";
import { fetchAtSites, type SitePorts } from "./web/site-fetch.ts";
import type { DeliveredBatch } from "./worker-link.ts";

type Env = Record<string, unknown>;

setWarpOffsetMs(Number((bindings as Env)["CLOCK_OFFSET_MS"] ?? 0));

const activity = createActivity();
/** The mail farm's hosts. */
const dialPorts = JSON.parse(String((bindings as Env)["DIAL_PORTS"] ?? "{}")) as DialPorts;
/** The fixture websites. */
const sitePorts = JSON.parse(String((bindings as Env)["SITE_PORTS"] ?? "{}")) as SitePorts;
const handlers = createHandlers({
  clock: activity.clock,
  fetch: fetchAtSites((input, init) => fetch(input, init), sitePorts),
  dial: dialAtPorts(dialFromWorkers, dialPorts),
});

/** Cloudflare answers a path that a static file has before the Worker sees it. */
const assetPaths = new Set(
  JSON.parse(String((bindings as Env)["ASSET_PATHS"] ?? "[]")) as string[],
);
/** Of the console, which may be built anew while this runs. */
const isBuilt = (path: string) => path.startsWith("/console/f/");
/** What the Worker answers first, as `run_worker_first` in wrangler.toml has it. */
const isAsset = ({ url, method }: Request) => {
  const { pathname } = new URL(url);
  if (pathname === "/docs") return false;
  return (assetPaths.has(pathname) || isBuilt(pathname)) && ["GET", "HEAD"].includes(method);
};

/** The same context, with background work counted as activity. */
function tracked(context: ExecutionContext): ExecutionContext {
  return new Proxy(context, {
    get(target, property) {
      if (property === "waitUntil") {
        return (work: Promise<unknown>) => target.waitUntil(activity.track(() => work));
      }
      const value: unknown = Reflect.get(target, property);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

const isFromQueue = (request: Request) => request.headers.has("upstash-signature");

export default {
  fetch: (request, env, context) =>
    activity.track(async () => {
      if (isAsset(request)) return (env["ASSETS"] as Fetcher).fetch(request);
      if (!handlers.fetch) throw new Error("The Worker has no fetch handler");
      return handlers.fetch(request, env, tracked(context));
    }, !isFromQueue(request)),
} satisfies ExportedHandler<Env>;

async function runScheduled(request: Request, env: Env, context: ExecutionContext) {
  const { cron, at } = await request.json<{ cron: string; at: string }>();
  const controller = { cron, scheduledTime: Date.parse(at), noRetry() {} } as ScheduledController;
  await handlers.scheduled?.(controller, env, tracked(context));
  return { done: handlers.scheduled !== undefined };
}

async function receiveEmail(request: Request, env: Env, context: ExecutionContext) {
  const { searchParams } = new URL(request.url);
  const raw = new Uint8Array(await request.arrayBuffer());
  const rejections: string[] = [];
  const unsupported = async () => {
    throw new Error("The local stack neither forwards nor replies for the Worker");
  };
  const message = {
    from: searchParams.get("from") ?? "",
    to: searchParams.get("to") ?? "",
    headers: readHeaders(raw),
    raw: new Blob([raw]).stream(),
    rawSize: raw.byteLength,
    setReject: (reason: string) => void rejections.push(reason),
    forward: unsupported,
    reply: unsupported,
  } as unknown as ForwardableEmailMessage;
  if (!handlers.email) return { rejected: "The Worker takes no email" };
  await handlers.email(message, env, tracked(context));
  return { rejected: rejections[0] ?? null };
}

/** The header block, unfolded (RFC 5322 section 2.2.3). What HTTP's Headers refuse is left out. */
function readHeaders(raw: Uint8Array): Headers {
  const text = new TextDecoder("latin1").decode(raw);
  const block = text.split(/\r?\n\r?\n/, 1)[0] ?? "";
  const headers = new Headers();
  for (const line of block.replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/)) {
    const match = /^([!-9;-~]+):\s*(.*)$/.exec(line);
    try {
      if (match?.[1]) headers.append(match[1], match[2] ?? "");
    } catch {
      // A name or value outside HTTP's grammar: the raw message still has it.
    }
  }
  return headers;
}

async function takeBatch(request: Request, env: Env, context: ExecutionContext) {
  const { queue, messages } = await request.json<DeliveredBatch>();
  const batch = openBatch(messages);
  let hasThrown = handlers.queue === undefined;
  try {
    const given = { queue, messages: batch.messages } as unknown as MessageBatch;
    await handlers.queue?.(given, env, tracked(context));
  } catch {
    hasThrown = true;
  }
  return batch.outcome(hasThrown);
}

/** Never on the public port: the stack alone knows this socket. */
export const events = {
  async fetch(request, env, context) {
    const { pathname } = new URL(request.url);
    switch (`${request.method} ${pathname}`) {
      case "GET /state":
        return Response.json(activity.state());
      case "POST /clock": {
        const { offset_ms: offsetMs } = await request.json<{ offset_ms: number }>();
        // Time only grows: what a new Worker is told first may arrive after a move of the clock.
        setWarpOffsetMs(Math.max(offsetMs, warpOffsetMs()));
        return Response.json({ now: new Date().toISOString() });
      }
      case "POST /scheduled":
        return Response.json(await activity.track(() => runScheduled(request, env, context)));
      case "POST /email":
        return Response.json(await activity.track(() => receiveEmail(request, env, context), true));
      case "POST /queue":
        return Response.json(await activity.track(() => takeBatch(request, env, context)));
      default:
        return Response.json({ detail: "no such event" }, { status: 404 });
    }
  },
} satisfies ExportedHandler<Env>;
