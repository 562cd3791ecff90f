/** The suite as it is, with the files in the order that OVERTURE_MUTATE_ORDER names and, for the map, a watch on what each reaches. */
import { readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import suite from "../../vitest.config.ts";
import { rootFolder } from "../command.ts";

const orderFile = process.env["OVERTURE_MUTATE_ORDER"];
const isMapping = process.env["OVERTURE_MUTATE_REACHED"] !== undefined;

class NamedOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order = JSON.parse(readFileSync(orderFile!, "utf8")) as string[];
    const placeOf = ({ moduleId }: TestSpecification) =>
      order.indexOf(moduleId.slice(rootFolder.length + 1));
    return files.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

const { projects = [], ...shared } = suite.test ?? {};

export default defineConfig({
  root: rootFolder,
  test: {
    ...shared,
    maxWorkers: 1,
    ...(orderFile === undefined ? {} : { sequence: { sequencer: NamedOrder } }),
    projects: projects.map((project) => {
      if (typeof project !== "object" || !("test" in project)) return project;
      const setupFiles = [project.test?.setupFiles ?? []].flat();
      const own = isMapping ? "watch-reach.ts" : "first-failure.ts";
      setupFiles.unshift(`${rootFolder}/scripts/mutate/${own}`);
      return { ...project, test: { ...project.test, setupFiles } };
    }),
  },
});
