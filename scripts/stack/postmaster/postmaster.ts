import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { apiError, type Json } from "../google/api.ts";
import type { Grants } from "../oauth/grants.ts";
import { createCallLog, createFaults, type Part } from "../part.ts";
import { type DomainFigures, figuresByName } from "./figures.ts";
import { answerCompliance, answerQuery } from "./query.ts";

export interface PostmasterPart extends Part {
  /** Gives a domain other figures than its name does. */
  put(domain: string, figures: DomainFigures): void;
}

export interface PostmasterOptions {
  port?: number;
  /** Whose access tokens are good, and for what. */
  grants: Pick<Grants, "inForce">;
}

const SCOPES = [
  "https://www.googleapis.com/auth/postmaster",
  "https://www.googleapis.com/auth/postmaster.traffic.readonly",
];
const BODY_LIMIT = 64 * 1024;

const FAULTS = {
  down: "the connection is closed without an answer",
  slow: "a request is never answered",
  server_error: "a request is answered 500",
  quota: "a request is answered 429 RESOURCE_EXHAUSTED, with an hour to wait",
  lost_answer: "an answer breaks off in the middle",
  html: "a request is answered 200 with a page of HTML",
  wrong_json: "a request is answered 200 with JSON that is no answer to it",
  token_refused: "an access token is refused, good or not",
  service_disabled: "the API answers that it is not enabled in the project",
  lies: "figures come with wrong types, negative, above one, of other domains and of dates that are none or to come",
  endless: "each page leads to another one",
  huge: "an answer has ten megabytes",
};

/**
 * Gmail's Postmaster Tools API, version 2: domains.domainStats.query and domains.getComplianceStatus. An account has every
 * domain, but one that begins with `stranger` has none.
 */
export async function startPostmaster(options: PostmasterOptions): Promise<PostmasterPart> {
  const log = createCallLog();
  const faults = createFaults(FAULTS);
  const put = new Map<string, DomainFigures>();
  let pages = 0;

  function refusal(authorization = ""): Json | null {
    const held = options.grants.inForce(/^Bearer (.+)$/.exec(authorization)?.[1] ?? "");
    if (held === undefined || faults.take("token_refused"))
      return apiError(401, "UNAUTHENTICATED", "Request had invalid authentication credentials.");
    if (faults.take("service_disabled"))
      return apiError(403, "PERMISSION_DENIED", DISABLED, "SERVICE_DISABLED");
    if (!held.scopes?.some((scope) => SCOPES.includes(scope)))
      return apiError(403, "PERMISSION_DENIED", SCOPE, "ACCESS_TOKEN_SCOPE_INSUFFICIENT");
    if (held.email.startsWith("stranger"))
      return apiError(403, "PERMISSION_DENIED", "The caller does not have permission");
    return null;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "/", "http://postmaster.test");
    log.add(`${request.method} ${pathname}`);
    if (faults.take("down")) return void response.destroy();
    if (faults.take("slow")) return;
    const cut = faults.take("lost_answer");
    const said = outage(response) ?? refusal(request.headers.authorization);
    if (said !== null) return send(response, said, cut);
    const [, name = "", asked = ""] =
      /^\/v2\/domains\/([^/:]+)\/(domainStats:query|complianceStatus)$/.exec(pathname) ?? [];
    const domain = decodeURIComponent(name);
    const figures = put.get(domain) ?? figuresByName(domain);
    if (asked === "complianceStatus" && request.method === "GET")
      return send(response, answerCompliance(domain, figures), cut);
    if (asked !== "domainStats:query" || request.method !== "POST")
      return send(response, apiError(404, "NOT_FOUND", "Requested entity was not found."));
    const answered = answerQuery(domain, figures, JSON.parse(await readBody(request)));
    send(response, bent(answered), cut);
  }

  function outage(response: ServerResponse): Json | null {
    if (faults.take("server_error"))
      return apiError(500, "INTERNAL", "Internal error encountered.");
    if (faults.take("quota")) {
      response.setHeader("retry-after", "7200");
      return apiError(429, "RESOURCE_EXHAUSTED", "Quota exceeded.", "RATE_LIMIT_EXCEEDED");
    }
    if (faults.take("html")) return { status: 200, body: "<!DOCTYPE html><p>Sorry</p>" };
    if (faults.take("wrong_json"))
      return { status: 200, body: { domainStats: "none", complianceData: 7 } };
    if (faults.take("huge"))
      return { status: 200, body: { domainStats: ["x".repeat(10_000_000)] } };
    return null;
  }

  /** A good answer with lies among its figures, or with a page behind it. */
  function bent({ status, body }: Json): Json {
    const stats = (body as { domainStats?: unknown[] }).domainStats;
    if (stats === undefined) return { status, body };
    if (faults.take("lies"))
      return { status, body: { ...(body as object), domainStats: [...lies(), ...stats] } };
    if (faults.take("endless"))
      return { status, body: { domainStats: stats, nextPageToken: String((pages += 1)) } };
    return { status, body };
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      log.add(`failed: ${String(error)}`);
      response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  return {
    name: "postmaster",
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    put: (domain, figures) => void put.set(domain, figures),
    faults,
    log,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const DISABLED =
  "Gmail Postmaster Tools API has not been used in project 1 before or it is disabled. Enable it, then retry.";
const SCOPE = "Request had insufficient authentication scopes.";

const dateIn = (days: number) => {
  const at = new Date(Date.now() + days * 86_400_000);
  return { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: at.getUTCDate() };
};

/** A day that the month before does not have, which is that date if one reckons on. */
const notADate = ({ year, month, day }: ReturnType<typeof dateIn>) => {
  const before = new Date(Date.UTC(year, month - 1, 0));
  return {
    year: before.getUTCFullYear(),
    month: before.getUTCMonth() + 1,
    day: before.getUTCDate() + day,
  };
};

/** Each is wrong in one thing. */
function lies(): unknown[] {
  const yesterday = dateIn(-1);
  const spam = { metric: "spam", date: yesterday, value: { doubleValue: 0.5 } };
  return [
    null,
    "spam",
    { ...spam, value: { doubleValue: "0.5" } },
    { ...spam, value: { doubleValue: -0.5 } },
    { ...spam, value: { doubleValue: 50 } },
    { ...spam, value: { intValue: "1" } },
    { ...spam, value: {} },
    { ...spam, date: dateIn(2) },
    { ...spam, date: dateIn(-9_000) },
    { ...spam, date: notADate(dateIn(-3)) },
    { ...spam, date: "yesterday" },
    { ...spam, metric: "rumour" },
    { ...spam, metric: "__proto__" },
    { ...spam, name: "domains/another.zz/domainStats/x" },
  ];
}

function send(response: ServerResponse, { status, body }: Json, cut = false): void {
  const text = Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  response.writeHead(status, {
    "content-type": typeof body === "string" ? "text/html" : "application/json; charset=UTF-8",
    "content-length": text.length,
  });
  if (!cut) return void response.end(text);
  response.write(text.subarray(0, text.length / 2), () => response.destroy());
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_LIMIT) throw new Error("the body is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
