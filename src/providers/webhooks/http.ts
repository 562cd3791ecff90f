import { readFirstBytes } from "#src/platform/bounded-bytes.ts";
import { readHost } from "#src/platform/public-host.ts";
import type { Dns } from "#src/providers/dns/index.ts";
import { admitHost, HostNotFound, HostRefused } from "#src/providers/net/index.ts";
import type { WebhookOutcome, WebhookSender } from "./index.ts";

interface Surroundings {
  fetch: typeof globalThis.fetch;
  dns: Dns;
  /** This machine too, over http and at any port: for the local stack and tests. */
  loopback: boolean;
  /** Names under which this service itself is reached. */
  ownHosts: readonly string[];
  /** From connecting to the end of what is read of the answer, 15 s if absent. */
  timeoutMs?: number;
}

const TIMEOUT_MS = 15_000;
const PORTS = new Set(["", "443", "8443"]);
/** What its owner is shown of an answer. */
const SHOWN_BYTES = 256;
/** However long a receiver asks for, it is asked again within a day. */
const MOST_PATIENCE_SECONDS = 86_400;

/**
 * Posts to public hosts alone. The name is looked up before each attempt, so that a receiver which moves to a private
 * address is not followed; the connection is made by name, because TLS needs it, as that to a website is.
 */
export function createWebhookSender(surroundings: Surroundings): WebhookSender {
  const { fetch, dns, loopback, timeoutMs = TIMEOUT_MS } = surroundings;
  const ownHosts = new Set(surroundings.ownHosts);

  function faultOf(text: string): string | null {
    const url = URL.parse(text);
    if (url === null) return "This is no address of the web.";
    if (url.username !== "" || url.password !== "") return "Leave user name and password out.";
    if (url.hash !== "") return "Leave the part behind # out: it is never sent.";
    const host = readHost(url.hostname);
    if (loopback && host.kind === "refused" && host.isLoopback)
      return /^https?:$/.test(url.protocol) ? null : "Events are sent over https or http.";
    if (url.protocol !== "https:") return "Events are sent over https.";
    if (host.kind === "refused") return host.why;
    if (host.kind === "address") return `${host.address} is an address: give a name.`;
    if (!PORTS.has(url.port)) return `Port ${url.port} is none of 443 and 8443.`;
    return ownHosts.has(host.name) ? `${host.name} is this service itself.` : null;
  }

  async function check(text: string): Promise<string | null> {
    const fault = faultOf(text);
    if (fault !== null) return fault;
    try {
      await admitHost(dns, { loopback }, new URL(text).hostname);
      return null;
    } catch (error) {
      // A name that is not there yet may come, and DNS that is no help now may be later.
      return error instanceof HostRefused ? error.message : null;
    }
  }

  return {
    faultOf,
    check,
    async post({ url, headers, body }): Promise<WebhookOutcome> {
      const { host, hostname } = new URL(url);
      const signal = AbortSignal.timeout(timeoutMs);
      try {
        const fault = faultOf(url);
        if (fault !== null) return { kind: "failed", error: fault };
        await admitHost(dns, { loopback }, hostname);
        const response = await fetch(url, {
          method: "POST",
          headers,
          body,
          redirect: "manual",
          signal,
        });
        // Its status is its answer; the rest is only shown.
        const bytes = await readFirstBytes(response, SHOWN_BYTES).catch(() => new Uint8Array());
        return {
          kind: "answered",
          status: response.status,
          retryAfterSeconds: patienceOf(response.headers.get("retry-after")),
          answer: shown(bytes),
        };
      } catch (error) {
        if (signal.aborted)
          return {
            kind: "failed",
            error: `${host} did not answer in ${timeoutMs / 1000} seconds.`,
          };
        return { kind: "failed", error: wordsOf(error, host) };
      }
    },
  };
}

/** Seconds (RFC 9110 section 10.2.3); a date is not asked of, as its sender's clock may differ. */
const patienceOf = (text: string | null): number | null =>
  text !== null && /^\d{1,9}$/.test(text) ? Math.min(Number(text), MOST_PATIENCE_SECONDS) : null;

const shown = (bytes: Uint8Array): string =>
  // oxlint-disable-next-line no-control-regex -- control characters are what is left out
  new TextDecoder().decode(bytes).replaceAll(/[\u0000-\u001f\u007f]+/g, " ");

function wordsOf(error: unknown, host: string): string {
  if (error instanceof HostRefused || error instanceof HostNotFound) return error.message;
  const { message, cause } =
    error instanceof Error ? error : { message: String(error), cause: null };
  const why = cause instanceof Error ? cause.message : message;
  return `No connection to ${host}: ${why}`.slice(0, 300);
}
