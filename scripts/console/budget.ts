import { gzipSync } from "node:zlib";
import type { BuiltConsole } from "./build.ts";

/** Gzipped bytes (docs/design/console.md). */
const MOST = { first: 24_500, home: 28_500, chunk: 12_800, scripts: 136_000, style: 7_500 };

export interface Sizes {
  files: { name: string; gzipped: number; isFirst: boolean; isHome: boolean }[];
}

export function sizesOf({ files, first, home }: BuiltConsole): Sizes {
  return {
    files: [...files].map(([name, content]) => ({
      name,
      gzipped: gzipSync(content, { level: 9 }).length,
      isFirst: first.includes(name),
      isHome: home.includes(name),
    })),
  };
}

/** What is larger than it may be. */
export function excessOf({ files }: Sizes): string[] {
  const scripts = files.filter(({ name }) => name.endsWith(".js"));
  const further = scripts.filter(({ isFirst }) => !isFirst);
  const sum = (some: Sizes["files"]) => some.reduce((total, { gzipped }) => total + gzipped, 0);
  const found: [what: string, bytes: number, most: number][] = [
    ["what every page loads", sum(scripts.filter(({ isFirst }) => isFirst)), MOST.first],
    [
      "the first screen",
      sum(scripts.filter(({ isFirst, isHome }) => isFirst || isHome)),
      MOST.home,
    ],
    ...further.map(({ name, gzipped }): [string, number, number] => [name, gzipped, MOST.chunk]),
    ["all scripts", sum(scripts), MOST.scripts],
    ["the style", sum(files.filter(({ name }) => name.endsWith(".css"))), MOST.style],
  ];
  return found
    .filter(([, bytes, most]) => bytes > most)
    .map(
      ([what, bytes, most]) =>
        `The console: ${what} takes ${bytes} bytes gzipped, and may take ${most}.`,
    );
}
