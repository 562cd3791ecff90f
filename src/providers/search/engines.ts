import { createBrave } from "./brave.ts";
import type { SearchEngine } from "./index.ts";
import { createSearxng } from "./searxng.ts";
import { createSerper } from "./serper.ts";

export type SearchEngineSettings =
  | { name: "brave" | "serper"; baseUrl: string; key: string }
  | { name: "searxng"; baseUrl: string };

export function createSearchEngine(
  fetch: typeof globalThis.fetch,
  settings: SearchEngineSettings,
): SearchEngine {
  switch (settings.name) {
    case "brave":
      return createBrave({ fetch, ...settings });
    case "serper":
      return createSerper({ fetch, ...settings });
    case "searxng":
      return createSearxng({ fetch, ...settings });
  }
}
