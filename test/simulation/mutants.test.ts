/** Engines with one mistake each: the simulation has to notice. */
import { expect, test } from "vitest";
import { hunt, MUTANTS } from "./hunt.ts";

test.each(MUTANTS.map((mutant) => [mutant.name, mutant] as const))(
  "an engine that %s is noticed",
  async (_, mutant) => {
    expect((await hunt(mutant, 60)).caughtBy).not.toBeNull();
  },
);
