import { readFirstBytes } from "#src/platform/bounded-bytes.ts";
import { unlessAborted } from "#src/platform/deadline.ts";
import type { Dns } from "#src/providers/dns/index.ts";
import { admitHost, HostNotFound, HostRefused } from "#src/providers/net/index.ts";
import { decodePage } from "./decode.ts";
import { urlFault } from "./guard.ts";
import type { Web, WebAnswer, WebReading } from "./index.ts";

/** A page that is longer is read so far; crawlers have to read this much of a robots.txt (RFC 9309 section 2.5). */
const MAX_BYTES = { page: 1024 * 1024, robots: 512 * 1024 };
const MAX_REDIRECTS = 3;
const TIMEOUT_MS = 8_000;
const PAGE_TYPES = new Set(["text/html", "application/xhtml+xml", "text/plain"]);
const ACCEPT = "text/html,application/xhtml+xml;q=0.9,text/plain;q=0.5";

export interface WebSettings {
  fetch: typeof globalThis.fetch;
  dns: Dns;
  /** Names itself and where its operator can be reached. */
  userAgent: string;
  /** Where this very service is reached. */
  ownHosts: readonly string[];
  /** For one reading with its redirects; 8 s if absent. */
  timeoutMs?: number;
}

/** No lead's website is on this machine. */
const NEVER_HERE = { loopback: false };

const ALLOWED = Promise.resolve(null);

type Step = { kind: "go"; to: URL } | WebAnswer;

interface Reader extends Omit<WebSettings, "ownHosts"> {
  ownHosts: ReadonlySet<string>;
  /** Hosts that were admitted or refused, each looked up once. */
  admitted: Map<string, Promise<string>>;
}

/**
 * A reader of websites. It keeps no cookies, sends none, and says who it is. A host is looked up once:
 * make one per request. The connection is made by name, because TLS and virtual hosts need it, so that a
 * name which leads elsewhere when it is looked up again is stopped by the network alone: Cloudflare's
 * reaches no private address (docs/design/research.md).
 */
export function createWeb(settings: WebSettings): Web {
  const { timeoutMs = TIMEOUT_MS } = settings;
  const reader: Reader = {
    ...settings,
    ownHosts: new Set(settings.ownHosts),
    admitted: new Map(),
  };
  return {
    async read(address, how, signal) {
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      let at = URL.parse(address);
      if (at === null) return { kind: "refused", why: "This is no web address." };
      for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
        const step = await visit(reader, at, how, deadline);
        if (step.kind !== "go") return step;
        at = step.to;
      }
      return failed("too_many_redirects", `more than ${MAX_REDIRECTS}, the last to ${at.host}`);
    },
  };
}

async function visit(
  { fetch, dns, userAgent, ownHosts, admitted }: Reader,
  url: URL,
  how: WebReading,
  signal: AbortSignal,
): Promise<Step> {
  try {
    const fault = urlFault(url, ownHosts);
    if (fault !== null) return { kind: "refused", why: fault };
    const known = admitted.get(url.hostname) ?? admitHost(dns, NEVER_HERE, url.hostname);
    admitted.set(url.hostname, known);
    await unlessAborted(signal, known);
    const why = (await unlessAborted(signal, how.faultOf?.(url) ?? ALLOWED)) ?? null;
    if (why !== null) return { kind: "disallowed", why };
    const response = await fetch(url.href, {
      headers: { "user-agent": userAgent, accept: how.what === "page" ? ACCEPT : "*/*" },
      redirect: "manual",
      signal,
    });
    return await readAnswer(response, url, how);
  } catch (error) {
    if (error instanceof HostRefused) return { kind: "refused", why: error.message };
    if (error instanceof HostNotFound) return failed("no_host", error.message);
    if (signal.aborted) return failed("timeout", `${url.host} took too long`);
    return failed("unreachable", error instanceof Error ? error.message : String(error));
  }
}

async function readAnswer(response: Response, url: URL, { what }: WebReading): Promise<Step> {
  const { status, headers } = response;
  const location = headers.get("location");
  const leave = async (step: Step) => {
    await response.body?.cancel().catch(() => {});
    return step;
  };
  if (status >= 300 && status < 400 && location !== null) {
    const to = URL.parse(location, url.href);
    if (to === null) return leave({ kind: "refused", why: "It leads to no web address." });
    return leave({ kind: "go", to });
  }
  if (status !== 200) return leave({ kind: "status", status });
  const contentType = headers.get("content-type") ?? "";
  const type = contentType.split(";", 1)[0]!.trim().toLowerCase();
  if (what === "page" && !PAGE_TYPES.has(type))
    return leave({ kind: "other_type", type: type.slice(0, 100) });
  const bytes = await readFirstBytes(response, MAX_BYTES[what]);
  const text = decodePage(bytes, contentType);
  return { kind: "read", url: url.href, text, isHtml: type !== "text/plain" };
}

const failed = (reason: Extract<WebAnswer, { kind: "failed" }>["reason"], detail: string) => ({
  kind: "failed" as const,
  reason,
  detail: detail.slice(0, 300),
});
