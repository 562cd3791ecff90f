import { createApp } from "#src/app.ts";
import type { Deps } from "#src/deps.ts";
import { createOtherCells } from "#src/providers/cells/router.ts";
import { readCells } from "#src/router/cells.ts";
import { createRouter } from "#src/router/router.ts";
import { PUBLIC_BASE_URL, type TestApi } from "./api.ts";
import { type OtherCell, startOtherCell } from "./cells.ts";

export const CELLS_SECRET = "the-secret-of-these-cells";

/** The service twice, over two databases and behind the router: `main`, which is `api`'s, and `big`. */
export interface RoutedCells {
  main: Deps;
  big: Deps;
  other: OtherCell;
  /** One request to the router, from an address of its own. */
  ask(path: string, init?: RequestInit): Promise<Response>;
  /** What cells were asked, as `cell METHOD /path`. */
  asked: string[];
  /** Names of cells that do not answer. */
  down: Set<string>;
  close(): Promise<void>;
}

export async function startRoutedCells(api: TestApi): Promise<RoutedCells> {
  const other = await startOtherCell(api);
  const asked: string[] = [];
  const down = new Set<string>();
  const named = (deps: Deps, name: string): Deps => ({
    ...deps,
    settings: { ...deps.settings, cell: { name, secret: CELLS_SECRET } },
    otherCells: createOtherCells({
      fetch: (url, init) => router.fetch(new Request(url as string, init)),
      baseUrl: PUBLIC_BASE_URL,
      name,
      secret: CELLS_SECRET,
    }),
  });
  const main = named(api.deps, "main");
  const big = named(other.deps, "big");
  const passage = (name: string, deps: Deps) => {
    const app = createApp({ now: () => new Date(), makeDeps: () => deps });
    return {
      async fetch(request: Request): Promise<Response> {
        asked.push(`${name} ${request.method} ${new URL(request.url).pathname}`);
        if (down.has(name)) throw new Error("connection refused");
        return app.fetch(request);
      },
    };
  };
  const router = createRouter({
    ...readCells({
      CELLS: "main,big",
      CELLS_SECRET,
      CELL_MAIN: passage("main", main),
      CELL_BIG: passage("big", big),
    }),
    now: () => api.deps.clock.now(),
  });
  return {
    main,
    big,
    other,
    asked,
    down,
    ask(path, init = {}) {
      const headers = new Headers(init.headers);
      headers.set("cf-connecting-ip", `198.51.100.7-${crypto.randomUUID()}`);
      if (typeof init.body === "string") headers.set("content-length", String(init.body.length));
      return router.fetch(new Request(PUBLIC_BASE_URL + path, { ...init, headers }));
    },
    close: () => other.close(),
  };
}
