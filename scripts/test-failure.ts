import { relative } from "node:path";
import type { TestCase, TestModule } from "vitest/node";
import { rootFolder } from "./command.ts";

/** Lines of one failure that are printed: the end of a run is to fit on a screen. */
const MESSAGE_LINES = 8;
const DIFF_LINES = 16;
/** Failures that are printed whole; of the others, their names and first lines. */
export const SHOWN_WHOLE = 5;

export type Failure = Pick<Error, "message" | "stack"> & {
  diff?: string | undefined;
  stacks?: { file: string; line: number; column: number }[] | undefined;
};

export const titleOf = (testCase: TestCase) =>
  `${testCase.module.relativeModuleId} > ${testCase.fullName}`;

/** The place in this repository at which it failed, as an editor opens it. */
function placeOf({ stacks }: Failure): string | null {
  const own = stacks?.find(
    ({ file }) => file.startsWith(rootFolder) && !file.includes("/node_modules/"),
  );
  return own ? `${relative(rootFolder, own.file)}:${own.line}:${own.column}` : null;
}

/** What failed and where, in one line. */
export function firstLineOf(failure: Failure): string {
  const place = placeOf(failure);
  const line = failure.message.trim().split("\n", 1)[0]!.slice(0, 200);
  return place === null ? line : `${line} (${place})`;
}

/** What failed, where and how, in few lines. */
export function describeFailure(title: string, failures: readonly Failure[]): string {
  const lines = [`FAILED ${title}`];
  for (const failure of failures) {
    const place = placeOf(failure);
    lines.push(...cut(failure.message, MESSAGE_LINES));
    if (place !== null) lines.push(`  at ${place}`);
    if (failure.diff) lines.push(...cut(failure.diff, DIFF_LINES));
  }
  return lines.join("\n");
}

function cut(text: string, most: number): string[] {
  const lines = text.trimEnd().split("\n");
  const shown = lines.slice(0, most).map((line) => `  ${line.slice(0, 240)}`);
  const left = lines.length - shown.length;
  return left > 0 ? [...shown, `  (and ${left} lines)`] : shown;
}

/** The last words of a run that failed: the first few failures whole, and the others by name. */
export function failureReport(
  modules: readonly TestModule[],
  errors: readonly { message: string }[],
): string {
  const blocks = modules.flatMap((module) => [
    ...(module.errors().length > 0
      ? [{ title: module.relativeModuleId, failures: module.errors() as readonly Failure[] }]
      : []),
    ...[...module.children.allTests("failed")].map((testCase) => ({
      title: titleOf(testCase),
      failures: (testCase.result().errors ?? []) as readonly Failure[],
    })),
  ]);
  for (const error of errors)
    blocks.push({ title: "outside of any test", failures: [error as Failure] });
  return blocks
    .map(({ title, failures }, index) =>
      index < SHOWN_WHOLE
        ? describeFailure(title, failures)
        : `FAILED ${title}: ${failures[0] ? firstLineOf(failures[0]) : ""}`,
    )
    .join("\n\n");
}
