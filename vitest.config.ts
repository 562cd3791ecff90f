import { globSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { patience } from "./test/support/patience.ts";

interface Kind {
  name: string;
  /** Starts the shared Postgres and its migrated template. */
  needsDatabase: boolean;
  /** One process per file, because a stack's clock belongs to its process. Pure tests share one and start faster; end-to-end ones share the stack. */
  isolate: boolean;
  testTimeout: number;
}

const kinds: Kind[] = [
  { name: "unit", needsDatabase: false, isolate: false, testTimeout: 5_000 },
  { name: "integration", needsDatabase: true, isolate: true, testTimeout: 20_000 },
  { name: "conformance", needsDatabase: true, isolate: true, testTimeout: 20_000 },
  { name: "simulation", needsDatabase: true, isolate: true, testTimeout: 60_000 },
  { name: "e2e", needsDatabase: true, isolate: false, testTimeout: 120_000 },
  // Debian's own servers: `npm run test:servers` alone asks for them.
  ...(process.env["TEST_SERVERS"] === undefined
    ? []
    : [{ name: "servers", needsDatabase: true, isolate: true, testTimeout: 60_000 }]),
];

export default defineConfig({
  test: {
    pool: "forks",
    // Two workers whatever the machine: the budgets are meant for two cores.
    maxWorkers: 2,
    env: { TZ: "UTC" },
    // What a test waits for comes when it comes: the bound only ends one that fails.
    expect: { poll: { timeout: 15_000 } },
    // A project without files would be an error, so a kind counts from its first test on.
    projects: kinds
      .filter(({ name }) => globSync(`test/${name}/**/*.test.ts`).length > 0)
      .map(({ name, needsDatabase, isolate, testTimeout }, index) => ({
        extends: true,
        test: {
          name,
          include: [`test/${name}/**/*.test.ts`],
          exclude: process.env["TEST_FULL"] === undefined ? ["**/*.full.test.ts"] : [],
          globalSetup: needsDatabase ? ["test/support/global-setup.ts"] : [],
          isolate,
          testTimeout: patience(testTimeout),
          hookTimeout: patience(120_000),
          // One kind after the other, so that each has its own time to measure.
          sequence: { groupOrder: index },
        },
      })),
  },
});
