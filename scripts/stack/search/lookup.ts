import { plainSpelling } from "#src/domain/research/finding/names/letters.ts";
import type { Page } from "./format.ts";

export interface Lookup {
  (query: string, country: string | null): Page[];
}

interface Indexed {
  page: Page;
  title: string;
  text: string;
  address: string;
}

/** What a search engine does with such queries: `site:`, words between quotes, and the rest by how much of it is there. */
export function createLookup(pages: readonly Page[]): Lookup {
  const index = pages.map((page): Indexed => {
    const [title, text] = [plain(page.title), plain(`${page.title} ${page.snippet}`)];
    return { page, title, text, address: page.url.replace(/^https?:\/\/([a-z]+\.)?/, "") };
  });
  return (query, country) => {
    const site = /\bsite:(\S+)/.exec(query)?.[1] ?? "";
    const rest = query.replace(/\bsite:\S+/g, "");
    const phrases = [...rest.matchAll(/"([^"]+)"/g)].map(([, phrase]) => plain(phrase!));
    const words = plain(rest)
      .split(" ")
      .filter((word) => word !== "");
    const found = index
      .filter(
        ({ address, text }) =>
          address.startsWith(site) && phrases.every((each) => ` ${text} `.includes(` ${each} `)),
      )
      .map((each) => ({ ...each, rank: rankOf(each, words, country) }))
      .filter(({ rank }) => rank >= words.length / 2);
    return found
      .toSorted((a, b) => b.rank - a.rank)
      .slice(0, 20)
      .map(({ page }) => page);
  };
}

function rankOf({ title, text, page }: Indexed, words: string[], country: string | null): number {
  const has = (where: string, word: string) => ` ${where} `.includes(` ${word} `);
  const fit = words.reduce(
    (sum, word) => sum + (has(title, word) ? 1.2 : has(text, word) ? 1 : 0),
    0,
  );
  return fit + (country !== null && page.country === country ? 0.5 : 0);
}

/** Engines take marks and case for nothing. */
const plain = (text: string): string =>
  (text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [])
    .map((word) => plainSpelling(word) || word.toLowerCase())
    .join(" ");
