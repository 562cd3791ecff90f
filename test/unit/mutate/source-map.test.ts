import { moduleRunnerTransform, transformWithOxc } from "vite";
import { expect, test } from "vitest";
import { positionsOf } from "../../../scripts/mutate/source-map.ts";

const FILE = "src/domain/example.ts";
const TEXT = `import type { Few } from "./few.ts";
import { many } from "./many.ts";

export const MOST: number = 5;
export function isOver(count: number, few: Few): boolean {
  return count > MOST && many(few as never);
}
`;

test("a place in a file leads to the same words in the code that ran", async () => {
  const plain = await transformWithOxc(TEXT, FILE, {});
  const { code } = (await moduleRunnerTransform(plain.code, null, FILE, TEXT))!;
  const found = code.replace('"./many.ts"', '"/src/domain/many.ts"');
  const source = `'use strict';async (exports,module)=>{{${found}\n//# vitestCache=abc\n}}`;
  const positions = await positionsOf(FILE, TEXT, source);
  const at = (words: string) => source.slice(positions.at(TEXT.indexOf(words)));
  expect(at("count > MOST")).toMatch(/^count > MOST/);
  expect(at("many(few")).toMatch(/^\(0,__vite_ssr_import_\d__\.many\)\(few\)/);
  expect(source.slice(positions.readerOf("MOST"))).toMatch(/^return MOST/);
  expect(positions.readerOf("LEAST")).toBeUndefined();
});
