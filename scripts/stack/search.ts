import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import { createCallLog, createFaults, type Part } from "./part.ts";
import type { Page, Web } from "./search/format.ts";
import { createLookup } from "./search/lookup.ts";
import { inventWeb } from "./search/people.ts";

/** Three search engines over one small web of invented people. */
export interface SearchPart extends Part {
  web: Web;
  /** What a Worker needs to ask them. */
  env: Record<string, string>;
}

const FAULTS = {
  unavailable: "the next search is answered 503",
  hang: "the next search is never answered",
  slow: "the next search is answered after 3 s",
  rate_limited: "the next search is answered 429",
  json_disabled: "the next search is answered 403, as by a SearXNG without the format json",
  page: "the next search is answered 200 with a web page: a captcha, a proxy's login",
  other_shape: "the next search is answered 200 with JSON of another shape",
  engines_blocked:
    "the next search is answered 200 with no results, as by a SearXNG whose own engines are blocked",
  strangers: "the next search finds profiles of other people",
};

interface Search {
  engine: "brave" | "serper" | "searxng";
  query: string;
  country: string | null;
}

const KEY = "search-key";

/** `more`: pages besides those of the web. Brave's `/res/v1/web/search`, Serper's POST `/search` and SearXNG's GET `/search`. */
export async function startSearch({
  web,
  more = [],
  port = 0,
}: { web?: Web; more?: readonly Page[]; port?: number } = {}): Promise<SearchPart> {
  const faults = createFaults(FAULTS);
  const log = createCallLog();
  // Inventing them takes 50 ms: not for a start without a search.
  let known: Web | undefined = web;
  let lookup: ReturnType<typeof createLookup> | undefined;
  const theWeb = () => (known ??= inventWeb());
  const allPages = () => [...theWeb().pages, ...more];
  const find = (search: Search): Page[] => {
    if (faults.take("strangers"))
      return theWeb()
        .pages.filter(({ url }) => url.includes("/in/"))
        .slice(0, 20);
    return (lookup ??= createLookup(allPages()))(search.query, search.country);
  };

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const search = await readSearch(request);
    const end = (status: number, body: unknown, type = "application/json") => {
      response.writeHead(status, { "content-type": type });
      response.end(typeof body === "string" ? body : JSON.stringify(body));
    };
    if (typeof search === "number") return end(search, { error: `refused: ${search}` });
    log.add(`${search.engine}: ${search.query}`, search);
    if (faults.take("hang")) return;
    if (faults.take("unavailable")) return end(503, "down", "text/plain");
    if (faults.take("rate_limited")) return end(429, { error: "rate limited" });
    if (faults.take("json_disabled")) return end(403, "403 Forbidden", "text/html");
    if (faults.take("page")) return end(200, "<html>Are you a robot?</html>", "text/html");
    if (faults.take("other_shape"))
      return end(200, { web: { results: [{ url: 1 }] }, organic: {}, results: "none" });
    if (faults.take("engines_blocked")) return end(200, ENGINES_BLOCKED);
    if (faults.take("slow")) await new Promise((resolve) => setTimeout(resolve, 3000));
    end(200, SHAPES[search.engine](find(search)));
  };

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      log.add(`failed: ${String(error)}`);
      response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    name: "search",
    url,
    get web() {
      return theWeb();
    },
    env: {
      SEARCH_ENGINES: "brave,serper,searxng",
      BRAVE_URL: url,
      BRAVE_API_KEY: KEY,
      SERPER_URL: url,
      SERPER_API_KEY: KEY,
      SEARXNG_URL: url,
    },
    faults,
    log,
    close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
  };
}

const ENGINES_BLOCKED = {
  query: "",
  number_of_results: 0,
  results: [],
  answers: [],
  suggestions: [],
  unresponsive_engines: [
    ["google", "Suspended: CAPTCHA"],
    ["bing", "timeout"],
  ],
};

const serperBody = z.object({ q: z.string(), gl: z.string().optional() });

/** The search, or the status with which the engine refuses it. */
async function readSearch(request: IncomingMessage): Promise<Search | number> {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://search");
  if (request.method === "GET" && pathname === "/res/v1/web/search") {
    if (request.headers["x-subscription-token"] !== KEY) return 401;
    const country = searchParams.get("country");
    const query = searchParams.get("q") ?? "";
    return query === ""
      ? 422
      : { engine: "brave", query, country: country === "ALL" ? null : country };
  }
  if (request.method === "POST" && pathname === "/search") {
    if (request.headers["x-api-key"] !== KEY) return 403;
    const parsed = serperBody.safeParse(JSON.parse(await readText(request)));
    if (!parsed.success) return 400;
    return {
      engine: "serper",
      query: parsed.data.q,
      country: parsed.data.gl?.toUpperCase() ?? null,
    };
  }
  if (request.method === "GET" && pathname === "/search") {
    if (searchParams.get("format") !== "json") return 403;
    return { engine: "searxng", query: searchParams.get("q") ?? "", country: null };
  }
  return 404;
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

const marked = (text: string) =>
  text.replace(/&/g, "&amp;").replace(/^(\S+)/, "<strong>$1</strong>");

const SHAPES: Record<Search["engine"], (pages: Page[]) => unknown> = {
  brave: (pages) => ({
    type: "search",
    query: { original: "" },
    web: {
      type: "search",
      results: pages.map(({ url, title, snippet }) => ({
        type: "search_result",
        url,
        title,
        description: marked(snippet),
        language: "en",
        family_friendly: true,
      })),
    },
  }),
  serper: (pages) => ({
    searchParameters: { type: "search", engine: "google" },
    organic: pages.map(({ url, title, snippet }, at) => ({
      position: at + 1,
      title,
      link: url,
      snippet,
    })),
    credits: 1,
  }),
  searxng: (pages) => ({
    query: "",
    number_of_results: 0,
    results: pages.map(({ url, title, snippet }, at) => ({
      url,
      title,
      content: snippet,
      engines: ["one"],
      score: 1 / (at + 1),
      category: "general",
    })),
    answers: [],
    suggestions: [],
    unresponsive_engines: [],
  }),
};
