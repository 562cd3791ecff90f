import { existsSync, globSync, readFileSync } from "node:fs";
import * as path from "node:path";
import { expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "../../..");
/** As a document writes it: a path from the root of the repository, of a file or a folder. */
const NAMED = /`((?:src|db|functions|scripts|test|docs)\/[\w@./-]*)`/g;

/** All but those that tell of what is gone. */
const documents = globSync(["*.md", "{docs,test,scripts}/**/*.md"], { cwd: root }).filter(
  (file) => !["CHANGELOG.md", "docs/moves.md"].includes(file),
);

test("there is something to hold them to", () => {
  const { length } = [...readFileSync(path.join(root, "CONTRIBUTING.md"), "utf8").matchAll(NAMED)];
  expect([documents.length > 40, length > 30]).toEqual([true, true]);
});

test.each(documents)("%s names only files that are there", (document) => {
  const named = [...readFileSync(path.join(root, document), "utf8").matchAll(NAMED)];
  const missing = named
    .map(([, file]) => file!)
    .filter((file) => !existsSync(path.join(root, file)));
  expect(missing).toEqual([]);
});
