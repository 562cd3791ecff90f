import * as z from "zod";
import type { SearchEngineSettings } from "../providers/search/engines.ts";
import { list, url } from "./fields.ts";

/** What each engine cannot do without. */
const NEEDS = {
  brave: "BRAVE_API_KEY",
  serper: "SERPER_API_KEY",
  searxng: "SEARXNG_URL",
} as const;

export const searchVariables = {
  SEARCH_ENGINES: list.pipe(z.array(z.enum(["brave", "serper", "searxng"])).max(3)),
  BRAVE_API_KEY: z.string().min(1).optional(),
  BRAVE_URL: url.default("https://api.search.brave.com"),
  SERPER_API_KEY: z.string().min(1).optional(),
  SERPER_URL: url.default("https://google.serper.dev"),
  SEARXNG_URL: url.optional(),
};
const variables = z.object(searchVariables);
type Variables = z.output<typeof variables>;

export const searchChecks = Object.entries(NEEDS).map(([engine, variable]) => ({
  path: [variable],
  message: `is missing, which ${engine} in SEARCH_ENGINES needs`,
  holds: (env: Variables) =>
    !env.SEARCH_ENGINES.some((each) => each === engine) || env[variable] !== undefined,
}));

export interface SearchConfig {
  /** Engines that look for profiles, in the order in which they are asked. */
  searchEngines: SearchEngineSettings[];
}

export const readSearch = (data: Variables): SearchConfig => ({
  searchEngines: [...new Set(data.SEARCH_ENGINES)].map((name): SearchEngineSettings => {
    if (name === "brave") return { name, baseUrl: data.BRAVE_URL, key: data.BRAVE_API_KEY! };
    if (name === "serper") return { name, baseUrl: data.SERPER_URL, key: data.SERPER_API_KEY! };
    return { name, baseUrl: data.SEARXNG_URL! };
  }),
});
