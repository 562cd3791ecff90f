import { globSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { isFull } from "./test/support/full.ts";
import { patience } from "./test/support/patience.ts";

interface Kind {
  name: string;
  /** Starts the shared Postgres and its migrated template. */
  needsDatabase: boolean;
  /** What one of its tests may take on a quiet machine: many times what the slowest does. */
  testTimeout: number;
}

/** In the order in which they begin: what waits most comes first, so that a long file is not the last one left. */
const kinds: Kind[] = [
  { name: "e2e", needsDatabase: true, testTimeout: 120_000 },
  { name: "simulation", needsDatabase: true, testTimeout: 120_000 },
  { name: "conformance", needsDatabase: true, testTimeout: 60_000 },
  { name: "integration", needsDatabase: true, testTimeout: 60_000 },
  { name: "unit", needsDatabase: false, testTimeout: 60_000 },
  // Debian's own servers: `npm run test:servers` alone asks for them.
  ...(process.env["TEST_SERVERS"] === undefined
    ? []
    : [{ name: "servers", needsDatabase: true, testTimeout: 120_000 }]),
];

/** Kind by kind without a pause between them, of each the largest file first. */
class LargestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const kindOf = (file: TestSpecification) =>
      kinds.findIndex(({ name }) => name === file.project.name);
    const sizes = new Map(files.map((file) => [file, statSync(file.moduleId).size]));
    return files.toSorted((a, b) => kindOf(a) - kindOf(b) || sizes.get(b)! - sizes.get(a)!);
  }
}

export default defineConfig({
  test: {
    pool: "forks",
    // Each has a stack and databases of its own, in memory: more than six gain nothing.
    maxWorkers: Math.min(6, availableParallelism() + 2),
    env: { TZ: "UTC" },
    // What a test waits for comes when it comes: the bound only ends one that fails.
    expect: { poll: { timeout: patience(15_000) } },
    sequence: { sequencer: LargestFirst },
    // A project without files would be an error, so a kind counts from its first test on.
    projects: kinds
      .filter(({ name }) => globSync(`test/${name}/**/*.test.ts`).length > 0)
      .map(({ name, needsDatabase, testTimeout }) => ({
        extends: true,
        test: {
          name,
          include: [`test/${name}/**/*.test.ts`],
          exclude: isFull ? [] : ["**/*.full.test.ts"],
          // The stack that end-to-end files share goes through time with them.
          setupFiles: name === "e2e" ? [] : ["test/support/own-clock.ts"],
          globalSetup: needsDatabase ? ["test/support/global-setup.ts"] : [],
          // A process takes many files and loads the service once; `npm run test:full` gives each file its own.
          isolate: isFull,
          testTimeout: patience(testTimeout),
          hookTimeout: patience(120_000),
        },
      })),
  },
});
