import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createCallLog, createFaults, type Part } from "../part.ts";
import { createConsentPage, type Page } from "./consent-page.ts";
import { type Grants, openGrants, type ProviderName } from "./grants.ts";
import { type Client, createTokenEndpoint } from "./token-endpoint.ts";

export interface OauthPart extends Part {
  /** Where each provider's people consent, and where its tokens come from. */
  endpoints: Record<ProviderName, { authorizeUrl: string; tokenUrl: string }>;
  /** Where a mail server asks whose a token is (RFC 7662), with the credentials of an app. */
  introspectionUrl: string;
  grants: Grants;
  /** Whether the token opens that mailbox now: for the servers that take it. */
  acceptsToken(email: string, token: string): boolean;
}

export interface OauthOptions {
  port?: number;
  /** Apps that are registered with all three providers. */
  clients: readonly Client[];
  stateFile?: string;
}

const FORM_LIMIT = 64 * 1024;

/** Faults of the token endpoint; the page has none. */
const FAULTS = {
  down: "the connection is closed without an answer",
  slow: "a request is never answered",
  server_error: "a request is answered 500",
  unavailable: "a request is answered 503 temporarily_unavailable",
  lost_answer: "the request takes effect, and its answer breaks off in the middle",
  html: "a request is answered 200 with a page of HTML",
  wrong_json: "a request is answered 200 with JSON that is no answer to it",
  endless: "a request is answered with a megabyte",
  redirect: "a request is led to another host",
  invalid_grant: "a code or refresh token is refused, valid or not",
  invalid_client: "the app is refused, known or not",
  no_refresh_token: "an answer comes without its refresh token",
  no_id_token: "an answer does not say whose mailbox it is",
  short_lived: "an access token lives for a minute",
  rotate: "a renewal gives a new refresh token, and the old one is dead at once",
};

/** Paths as the vendors have them, all on one port. */
const PATHS: Record<ProviderName, { authorize: string; token: string }> = {
  google: { authorize: "/o/oauth2/v2/auth", token: "/token" },
  microsoft: {
    authorize: "/common/oauth2/v2.0/authorize",
    token: "/common/oauth2/v2.0/token",
  },
  other: { authorize: "/other/authorize", token: "/other/token" },
};
const PROVIDERS = Object.keys(PATHS) as ProviderName[];

/** Where people consent that an app may use their mailbox: docs/design/local-stack.md. */
export async function startOauth(options: OauthOptions): Promise<OauthPart> {
  const log = createCallLog();
  const faults = createFaults(FAULTS);
  const grants = openGrants(options.stateFile);
  const { clients } = options;
  let origin = "";
  const page = createConsentPage({ grants, clients });
  const tokens = createTokenEndpoint({ grants, clients, faults, issuer: () => origin });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", origin);
    // No codes and no tokens in the log.
    log.add(`${request.method} ${pathname}`);
    const consented = PROVIDERS.find((each) => PATHS[each].authorize === pathname);
    if (consented !== undefined && request.method === "GET")
      return show(response, page.ask(consented, searchParams));
    if (request.method !== "POST") return overview(response, pathname, grants);
    if (consented !== undefined)
      return show(response, page.answer(consented, searchParams, await formOf(request)));
    if (pathname === "/revoke" || pathname === "/api/revoke") {
      const form = await formOf(request);
      const email = form.get("email");
      if (email !== null) grants.revoke(email);
      else grants.revokeToken(form.get("token") ?? "");
      return send(response, 200, {});
    }
    if (pathname === "/introspect") {
      const said = tokens.introspect(await formOf(request), request.headers.authorization);
      return send(response, said.status, said.body);
    }
    const asked = PROVIDERS.find((each) => PATHS[each].token === pathname);
    if (asked === undefined) return send(response, 404, { error: "not_found" });
    return answerToken(asked, request, response);
  }

  async function answerToken(
    provider: ProviderName,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    if (faults.take("down")) return void response.destroy();
    if (faults.take("slow")) return;
    const { status, body } = outage() ?? {
      ...tokens.answer(provider, await formOf(request), request.headers.authorization),
    };
    log.add(`${provider} ${status}`, status === 200 ? undefined : body);
    if (faults.take("redirect"))
      return void response.writeHead(307, { location: "https://example.com/steal" }).end();
    send(response, status, body, faults.take("lost_answer"));
  }

  function outage(): { status: number; body: unknown } | null {
    if (faults.take("server_error")) return { status: 500, body: "Internal error" };
    if (faults.take("unavailable"))
      return { status: 503, body: { error: "temporarily_unavailable" } };
    if (faults.take("html")) return { status: 200, body: "<!DOCTYPE html><p>Sorry</p>" };
    if (faults.take("wrong_json")) return { status: 200, body: { kind: "other" } };
    if (faults.take("endless"))
      return { status: 200, body: { access_token: "a".repeat(1024 * 1024), token_type: "Bearer" } };
    return null;
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
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    name: "oauth",
    url: origin,
    endpoints: Object.fromEntries(
      PROVIDERS.map((each) => [
        each,
        { authorizeUrl: origin + PATHS[each].authorize, tokenUrl: origin + PATHS[each].token },
      ]),
    ) as OauthPart["endpoints"],
    introspectionUrl: `${origin}/introspect`,
    grants,
    acceptsToken: grants.accepts,
    faults,
    log,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          grants.close();
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

/** Whose mailboxes are connected to which app, and no secret of it. */
function overview(response: ServerResponse, pathname: string, grants: Grants): void {
  if (pathname !== "/") return send(response, 404, { error: "not_found" });
  send(response, 200, {
    connected: grants
      .list()
      .map(({ provider, clientId, email }) => ({ provider, clientId, email })),
  });
}

function show(response: ServerResponse, page: Page): void {
  if (page.kind === "redirect")
    return void response.writeHead(302, { location: page.location }).end();
  response.writeHead(page.status, { "content-type": "text/html; charset=utf-8" }).end(page.html);
}

function send(response: ServerResponse, status: number, body: unknown, cut = false): void {
  const isText = typeof body === "string";
  const text = Buffer.from(isText ? body : JSON.stringify(body));
  response.writeHead(status, {
    "content-type": isText ? "text/html" : "application/json; charset=UTF-8",
    "content-length": text.length,
  });
  if (!cut) return void response.end(text);
  response.write(text.subarray(0, text.length / 2), () => response.destroy());
}

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > FORM_LIMIT) throw new Error("the form is too large");
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString("utf8"));
}
