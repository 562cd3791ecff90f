import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createCallLog, createFaults, type Part } from "../part.ts";
import { apiError, createApi, type Json } from "./api.ts";
import { BUILT_IN } from "./built-in.ts";
import { exportRedirect, sendCsv, tabOf } from "./export.ts";
import { createSpreadsheets, type Spreadsheets } from "./spreadsheets.ts";
import { createTokenIssuer, type TokenIssuer } from "./token.ts";

export interface GooglePart extends Part {
  sheets: Spreadsheets;
  tokens: TokenIssuer;
  tokenUrl: string;
}

export interface GoogleOptions {
  port?: number;
  /** The service account that sheets are shared with; its key is PKCS #8, PEM. */
  account: { email: string; privateKey: string };
  /** Where a person may put sheets; without it there are only the built-in ones and what tests put. */
  folder?: string;
  /** Requests to the API that one account may make in a minute. */
  readsPerMinute?: number;
}

const FORM_LIMIT = 64 * 1024;

const FAULTS = {
  down: "the connection is closed without an answer",
  slow: "a request is never answered",
  server_error: "a request is answered 500",
  quota: "a request to the API is answered 429 RESOURCE_EXHAUSTED",
  lost_answer: "an answer breaks off in the middle",
  html: "a request is answered 200 with a page of HTML",
  wrong_json: "a request is answered 200 with JSON that is no answer to it",
  token_refused: "the token endpoint answers invalid_grant",
  token_revoked: "every access token given so far is refused",
  service_disabled: "the API answers that it is not enabled in the project",
  foreign_redirect: "an export leads to another host",
};

/**
 * Google's token endpoint (/token), the reading half of the Sheets API v4 (/v4/spreadsheets) and the CSV export of
 * docs.google.com (/spreadsheets/d). docs/design/local-stack.md says what is left out.
 */
export async function startGoogle(options: GoogleOptions): Promise<GooglePart> {
  const log = createCallLog();
  const faults = createFaults(FAULTS);
  const sheets = createSpreadsheets(options.folder);
  let origin = "";
  const tokens = createTokenIssuer({ ...options.account, audience: () => `${origin}/token` });
  const answerApi = createApi({ sheets, tokens, faults, readsPerMinute: options.readsPerMinute });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", origin);
    log.add(`${request.method} ${url.pathname}${url.search}`);
    if (faults.take("down")) return void response.destroy();
    if (faults.take("slow")) return;
    if (faults.take("server_error"))
      return send(response, apiError(500, "INTERNAL", "Internal error encountered."));
    if (faults.take("html")) return sendHtml(response, 200, "Sorry, something went wrong");
    if (faults.take("wrong_json")) return send(response, { status: 200, body: { kind: "other" } });
    const cut = faults.take("lost_answer");
    if (url.pathname === "/token" && request.method === "POST") {
      const refused = { error: "invalid_grant", error_description: "Invalid JWT Signature." };
      const granted = faults.take("token_refused")
        ? { status: 400, body: refused }
        : tokens.grant(new URLSearchParams(await readBody(request)));
      return send(response, granted, cut);
    }
    if (request.method !== "GET") return send(response, { status: 405, body: {} });
    if (url.pathname.startsWith("/v4/")) return send(response, answerApi(request, url), cut);
    if (url.pathname === "/")
      return send(response, {
        status: 200,
        body: { sheets: sheets.list(), built_in: BUILT_IN, folder: options.folder ?? null },
      });
    return answerExport(url, response);
  }

  async function answerExport(url: URL, response: ServerResponse): Promise<void> {
    const [, asked] = /^\/spreadsheets\/d\/([^/]+)\/export$/.exec(url.pathname) ?? [];
    const [, id, gid] = /^\/content\/export\/([^/]+)\/(\d+)$/.exec(url.pathname) ?? [];
    const sheet = sheets.find(asked ?? id ?? "");
    if (sheet === null) return sendHtml(response, 404, "Sorry, the file does not exist.");
    if (asked === undefined) return sendCsv(response, sheet, tabOf(sheet, gid ?? null)!);
    const target = faults.take("foreign_redirect")
      ? "https://example.com/steal"
      : exportRedirect(origin, asked, sheet, url.searchParams.get("gid"));
    if (target === null) return sendHtml(response, 400, "Sorry, unable to open the file.");
    response.writeHead(target.startsWith(origin) ? 307 : 302, { location: target }).end();
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
    name: "google",
    url: origin,
    tokenUrl: `${origin}/token`,
    sheets,
    tokens,
    faults,
    log,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function send(response: ServerResponse, { status, body }: Json, cut = false): void {
  const text = Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    "content-type": "application/json; charset=UTF-8",
    "content-length": text.length,
  });
  if (!cut) return void response.end(text);
  response.write(text.subarray(0, text.length / 2), () => response.destroy());
}

function sendHtml(response: ServerResponse, status: number, words: string): void {
  response.writeHead(status, { "content-type": "text/html; charset=utf-8" });
  response.end(`<!DOCTYPE html><html><body>${words}</body></html>`);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > FORM_LIMIT) throw new Error("the form is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
