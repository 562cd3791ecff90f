import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createCallLog, createFaults, type Part } from "../part.ts";
import { createAuthorizePage, type Page } from "./authorize.ts";
import { createShelves } from "./codes.ts";
import { faultPage } from "./page.ts";
import type { Person } from "./people.ts";
import { claimsOf, ISSUER, publicKeys } from "./signing.ts";
import { type Client, createTokenEndpoint } from "./token.ts";

export interface IdentityPart extends Part {
  issuer: string;
  jwksUrl: string;
  /** The issuer's name leads here. */
  sites: Record<string, number>;
  /** A link that signs that person in at `consoleUrl`'s service, once. */
  linkFor(person: Person, consoleUrl: string): string;
}

export interface IdentityOptions {
  port?: number;
  /** The issuer's private key, PKCS #8 in PEM. */
  key: string;
  clients: readonly Client[];
}

const FORM_LIMIT = 64 * 1024;
const COOKIE = "overture-identity";

const FAULTS = {
  down: "the connection is closed without an answer, on the page too",
  slow: "a question of the service is never answered",
  server_error: "a question of the service is answered 500",
  html: "a question of the service is answered 200 with a page of HTML",
  endless: "a question of the service is answered with a megabyte",
  other_issuer: "the discovery document names another issuer",
  other_issuer_in_token: "an ID token is of another issuer",
  other_audience: "an ID token is for another app",
  other_nonce: "an ID token is of another sign-in",
  expired: "an ID token is over",
  forged: "an ID token is signed by a key that is not the issuer's",
  unknown_key: "an ID token names a key that the issuer does not have",
  no_email_in_token: "an ID token has no address and no name: userinfo has",
};

/** An OpenID provider for people of this machine: docs/design/local-stack.md. */
export async function startIdentity(options: IdentityOptions): Promise<IdentityPart> {
  const log = createCallLog();
  const faults = createFaults(FAULTS);
  const shelves = createShelves();
  const page = createAuthorizePage({ clients: options.clients, shelves });
  const answerToken = createTokenEndpoint({ ...options, shelves, faults });
  const keys = await publicKeys(options.key);
  let origin = "";
  /** Where a one-time link leads to, by the link. */
  const consoles = new Map<string, string>();

  /** People come to this machine; the service asks by the issuer's name. */
  const discovery = () => ({
    issuer: faults.take("other_issuer") ? "https://login.evil.zz" : ISSUER,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${ISSUER}/token`,
    userinfo_endpoint: `${ISSUER}/userinfo`,
    jwks_uri: `${ISSUER}/jwks`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    scopes_supported: ["openid", "email", "profile"],
    id_token_signing_alg_values_supported: ["ES256"],
    token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
    code_challenge_methods_supported: ["S256"],
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", origin);
    // No codes and no tokens in the log.
    log.add(`${request.method} ${pathname}`);
    if (faults.take("down")) return void response.destroy();
    const at = `${request.method} ${pathname}`;
    if (at === "GET /authorize") return show(response, page.ask(searchParams, cookieOf(request)));
    if (at === "POST /authorize")
      return show(response, page.answer(searchParams, await formOf(request)));
    if (at === "GET /login") return openLink(response, searchParams.get("once") ?? "");
    if (at === "GET /")
      return send(response, 200, { issuer: ISSUER, login: "npm start prints it" });
    return answerService(at, request, response);
  }

  async function answerService(
    at: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    if (faults.take("slow")) return;
    if (faults.take("server_error")) return send(response, 500, { error: "server_error" });
    if (faults.take("html")) return html(response, 200, "<!doctype html><p>Sorry</p>");
    if (faults.take("endless")) return send(response, 200, { issuer: "a".repeat(1024 * 1024) });
    const { authorization } = request.headers;
    switch (at) {
      case "GET /.well-known/openid-configuration":
        return send(response, 200, discovery());
      case "GET /jwks":
        return send(response, 200, keys);
      case "POST /token": {
        const { status, body } = await answerToken(await formOf(request), authorization);
        log.add(`token ${status}`, status === 200 ? undefined : body);
        return send(response, status, body);
      }
      case "GET /userinfo": {
        const person = shelves.access.find(/^Bearer (.+)$/i.exec(authorization ?? "")?.[1] ?? "");
        return person === undefined
          ? send(response, 401, { error: "invalid_token" })
          : send(response, 200, claimsOf(person));
      }
      default:
        return send(response, 404, { error: "not_found" });
    }
  }

  /** From here on it is a sign-in like any other, in which the person has been asked already. */
  function openLink(response: ServerResponse, link: string): void {
    const person = shelves.links.take(link);
    const consoleUrl = consoles.get(link);
    if (person === undefined || consoleUrl === undefined)
      return html(
        response,
        400,
        faultPage("This link was used, or is not ours. npm start prints a new one."),
      );
    const login = new URL("/api/v1/auth/login", consoleUrl);
    login.searchParams.set("return_to", new URL(consoleUrl).pathname);
    response
      .writeHead(302, {
        location: login.href,
        "set-cookie": `${COOKIE}=${shelves.browsers.put(person)}; Path=/authorize; HttpOnly; SameSite=Lax; Max-Age=60`,
        "cache-control": "no-store",
      })
      .end();
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
  const { port } = server.address() as AddressInfo;
  origin = `http://127.0.0.1:${port}`;
  return {
    name: "identity",
    url: origin,
    issuer: ISSUER,
    jwksUrl: `${origin}/jwks`,
    sites: { [new URL(ISSUER).hostname]: port },
    linkFor(person, consoleUrl) {
      const link = shelves.links.put(person);
      consoles.set(link, consoleUrl);
      return `${origin}/login?once=${link}`;
    },
    faults,
    log,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const cookieOf = ({ headers }: IncomingMessage): string | undefined =>
  new RegExp(`(?:^|; )${COOKIE}=([\\w-]+)`).exec(headers.cookie ?? "")?.[1];

function show(response: ServerResponse, page: Page): void {
  if (page.kind === "html") return html(response, page.status, page.html);
  response.writeHead(302, { location: page.location, "cache-control": "no-store" }).end();
}

function html(response: ServerResponse, status: number, text: string): void {
  response
    .writeHead(status, { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" })
    .end(text);
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response
    .writeHead(status, { "content-type": "application/json", "cache-control": "no-store" })
    .end(JSON.stringify(body));
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
