import { createHmac, timingSafeEqual } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import {
  type Answer,
  type HttpRequest,
  json,
  notFound,
  pageFile,
  type Route,
  route,
  sharedFile,
} from "../page-routes.ts";
import { startHttpServer } from "../page-server.ts";
import { createCallLog, createFaults, type Part } from "../part.ts";

/** What came to one address, and how it was signed. */
export interface ReceivedEvent {
  /** Of the event; the same in each attempt. */
  id: string;
  type: string;
  received_at: string;
  /** `unknown` while the secret of this address was not told. */
  signature: "right" | "wrong" | "late" | "unknown";
  answered: number;
  body: string;
}

interface Hook {
  name: string;
  secret: string | null;
  /** What it answers. */
  status: number;
  events: ReceivedEvent[];
}

export interface ReceiverPart extends Part {
  /** Where events of this name are to be sent. */
  urlOf(name: string): string;
  hooks(): readonly Hook[];
  /** From now on messages to this address are judged by the secret. */
  tell(name: string, secret: string): void;
}

const KEPT = 500;
/** Standard Webhooks has receivers refuse what is older. */
const TOLERANCE_SECONDS = 5 * 60;
const SLOW_MS = 20_000;
const NAME = "([a-z0-9-]{1,40})";
const SECRET = /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/;

const KNOWN = {
  down: "the connection is cut before an answer",
  slow: "no answer for 20 seconds",
  server_error: "500",
  rate_limited: "429 with Retry-After: 60",
  gone: "410",
};

/** A receiver of events, as a user's own service would be: it takes them, judges their signatures, and answers as it was told. */
export async function startReceiver({ port = 0 }: { port?: number } = {}): Promise<ReceiverPart> {
  const log = createCallLog();
  const faults = createFaults(KNOWN);
  const hooks = new Map<string, Hook>();
  let changed = () => {};
  const hookOf = (name: string): Hook => {
    const hook = hooks.get(name) ?? { name, secret: null, status: 200, events: [] };
    hooks.set(name, hook);
    return hook;
  };

  async function receive(request: HttpRequest): Promise<Answer | null> {
    const hook = hookOf(request.captured[0]!);
    if (faults.take("slow")) await delay(SLOW_MS);
    const answer = ordered() ?? json({ taken: hook.status < 300 }, hook.status);
    const { id = "", type = "" } = parsed(request.body);
    hook.events.unshift({
      id: String(id),
      type: String(type),
      received_at: new Date().toISOString(),
      signature: judge(request, hook.secret),
      answered: answer?.status ?? 0,
      body: request.body,
    });
    hook.events.length = Math.min(hook.events.length, KEPT);
    log.add(`${hook.name}: ${String(type)}`);
    changed();
    return answer;
  }

  function ordered(): Answer | null | undefined {
    if (faults.take("down")) return null;
    if (faults.take("server_error")) return json({ error: "broken" }, 500);
    if (faults.take("gone")) return json({ error: "gone" }, 410);
    if (faults.take("rate_limited"))
      return { ...json({ error: "too many" }, 429), headers: { "Retry-After": "60" } };
    return undefined;
  }

  function settle({ captured, body }: HttpRequest): Answer {
    const hook = hookOf(captured[0]!);
    const { secret, status } = parsed(body);
    if (secret !== undefined && secret !== null && !SECRET.test(String(secret)))
      return json({ error: "A secret is whsec_ and base64, as it was shown once." }, 422);
    if (status !== undefined && !(Number(status) >= 200 && Number(status) <= 599))
      return json({ error: "A status is between 200 and 599." }, 422);
    if (secret !== undefined) hook.secret = secret === null ? null : String(secret);
    if (status !== undefined) hook.status = Number(status);
    changed();
    return json(shown(hook));
  }

  const routes: Route[] = [
    route("POST", `/hooks/${NAME}`, async (request) => receive(request)),
    pageFile("/", inPage("index.html")),
    ...["app.js", "receiver.css"].map((name) => pageFile(`/${name}`, inPage(name))),
    ...(["dom.js", "base.css", "panes.css"] as const).map(sharedFile),
    route("GET", "/api/hooks", () => json([...hooks.values()].map(shown))),
    route("GET", `/api/hooks/${NAME}`, ({ captured }) => {
      const hook = hooks.get(captured[0]!);
      return hook === undefined ? notFound() : json({ ...shown(hook), events: hook.events });
    }),
    route("POST", `/api/hooks/${NAME}`, settle),
    route("DELETE", "/api/hooks", () => {
      for (const hook of hooks.values()) hook.events = [];
      changed();
      return json({ deleted: true });
    }),
  ];
  const server = await startHttpServer(port, routes, (summary) => log.add(summary));
  changed = server.changed;
  const url = `http://127.0.0.1:${server.port}`;
  return {
    name: "receiver",
    url,
    faults,
    log,
    urlOf: (name) => `${url}/hooks/${name}`,
    hooks: () => [...hooks.values()],
    tell(name, secret) {
      hookOf(name).secret = secret;
      changed();
    },
    close: () => server.close(),
  };
}

const inPage = (name: string): URL => new URL(`./page/${name}`, import.meta.url);

/** The secret itself is never shown. */
const shown = ({ name, secret, status, events }: Hook) => ({
  name,
  status,
  has_secret: secret !== null,
  received: events.length,
  last: events[0] ?? null,
});

function parsed(body: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(body)) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** By Standard Webhooks 1.0.0: HMAC-SHA256 over id, timestamp and body. */
function judge({ headers, body }: HttpRequest, secret: string | null): ReceivedEvent["signature"] {
  if (secret === null) return "unknown";
  const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map((name) =>
    String(headers[`webhook-${name}`] ?? ""),
  ) as [string, string, string];
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest();
  const isGood = signatures.split(" ").some((each) => {
    const given = Buffer.from(each.replace(/^v1,/, ""), "base64");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!isGood) return "wrong";
  return Math.abs(Date.now() / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS ? "right" : "late";
}
