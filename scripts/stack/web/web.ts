import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { readZone } from "../dns/zone-file.ts";
import type { KnownNames } from "../farm/names.ts";
import { createCallLog, createFaults, type Part } from "../part.ts";
import type { Page } from "../search/format.ts";
import { COMPANY_SITES } from "./companies.ts";
import { companyPages } from "./company-pages.ts";
import { HOSTILE_SITES, type SiteAnswer } from "./hostile-sites.ts";
import { SITE_HEADER, type SitePorts } from "./site-fetch.ts";

/** Websites of invented companies, and of people who mean no good. docs/design/local-stack.md says where they are. */
export interface WebPart extends Part {
  /** For the fetch that finds them. */
  ports: SitePorts;
  /** For the DNS. */
  names: KnownNames;
  /** What search engines know of the companies. */
  pressPages: Page[];
  /** By a site, in answers that ended. */
  bytesSent(host: string): number;
}

/**
 * Where all of them are, as DNS says: an address of the AS112 project (RFC 7534), public and no website's.
 * Nothing connects to it, because the local entry finds the sites by their names.
 */
const ADDRESS = "192.31.196.1";

const FAULTS = {
  unavailable: "a request is answered 503",
  hang: "a request is never answered",
  broken: "the connection is closed without an answer",
};

export async function startWeb({ port = 0 }: { port?: number } = {}): Promise<WebPart> {
  const log = createCallLog();
  const faults = createFaults(FAULTS);
  const sites = new Map<string, SiteAnswer>([
    ...COMPANY_SITES.map((company) => [company.host, siteOf(companyPages(company))] as const),
    ...Object.entries(HOSTILE_SITES),
  ]);

  const sent = new Map<string, number>();
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const host = String(request.headers[SITE_HEADER] ?? request.headers.host ?? "").toLowerCase();
    const path = (request.url ?? "/").split("?", 1)[0]!;
    log.add(`${request.method} ${host}${path}`);
    const { socket } = request;
    const before = socket.bytesWritten;
    response.once("close", () => {
      sent.set(host, (sent.get(host) ?? 0) + socket.bytesWritten - before);
    });
    if (faults.take("hang")) return;
    if (faults.take("broken")) return void response.destroy();
    if (faults.take("unavailable")) return void response.writeHead(503).end();
    const site = sites.get(host);
    if (site === undefined) return void response.writeHead(421).end();
    await site(path, response, request);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      log.add(`failed: ${String(error)}`);
      response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", resolve);
  });
  const { port: at } = server.address() as AddressInfo;
  return {
    name: "web",
    url: `http://127.0.0.1:${at}`,
    ports: Object.fromEntries([...sites.keys()].map((host) => [host, at])),
    names: namesOf([...sites.keys()]),
    pressPages: COMPANY_SITES.map(({ host, press }) => ({
      url: `https://gazette.zz/2026/${host.replace(".zz", "")}`,
      ...press,
    })),
    bytesSent: (host) => sent.get(host) ?? 0,
    faults,
    log,
    close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
  };
}

/** A company's site has no robots.txt: nothing is forbidden. */
const siteOf =
  (pages: ReadonlyMap<string, string>): SiteAnswer =>
  (path, response) => {
    const page = pages.get(path);
    const headers = { "content-type": "text/html; charset=utf-8" };
    response.writeHead(page === undefined ? 404 : 200, headers).end(page ?? "<h1>Not found</h1>");
  };

/** The sites, one name that leads to this machine, and one of which DNS knows nothing at the moment. */
function namesOf(hosts: readonly string[]): KnownNames {
  const lines = [
    ...hosts.map((host) => `${host} A ${ADDRESS}`),
    "inward-name.zz A 127.0.0.1",
    `half-inward.zz A ${ADDRESS}`,
    "half-inward.zz A 10.0.0.1",
    "127.0.0.1.nip.zz A 127.0.0.1",
  ];
  return {
    records: readZone(lines.join("\n")),
    troubles: new Map([["servfail.zz", "servfail"]]),
  };
}

/** What several parts know, as one. */
export const joinNames = (...all: readonly KnownNames[]): KnownNames => ({
  records: all.flatMap(({ records }) => records),
  troubles: new Map(all.flatMap(({ troubles }) => [...troubles])),
});
