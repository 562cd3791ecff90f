import * as fs from "node:fs";
import { type Breaking, describeBreaking } from "./breaking.ts";

export type State = "noticed" | "not noticed" | "not reached" | "no place";

export interface Verdict {
  state: State;
  /** `FILE > TEST`; for one that never ended, the file. */
  by?: string;
  /** What the test said. */
  said?: string;
  /** Test files that were tried to their end without noticing. */
  passed: number;
  /** Whether the files beyond the process and beyond the bound were tried as well. */
  isFinal: boolean;
}

export interface Result extends Breaking {
  /** By column. */
  verdicts: Record<string, Verdict>;
}

export interface Results {
  breakings: Result[];
}

export function readResults(file: string): Results {
  if (!fs.existsSync(file)) return { breakings: [] };
  return JSON.parse(fs.readFileSync(file, "utf8")) as Results;
}

const BEGIN = "<!-- npm run mutate -->";
const END = "<!-- end of the table -->";

/** Writes the results, and what the last column did not notice into the page of the same name beside them, if there is one. */
export function keepResults(file: string, results: Results): void {
  fs.writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
  const page = file.replace(/\.json$/, ".md");
  if (page === file || !fs.existsSync(page)) return;
  const text = fs.readFileSync(page, "utf8");
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`${page} lacks ${BEGIN} or ${END}`);
  const table = unnoticedOf(results.breakings);
  fs.writeFileSync(page, `${text.slice(0, begin)}${BEGIN}\n\n${table}\n\n${text.slice(end)}`);
}

const cell = (text: string) => text.replaceAll("|", "\\|").replace(/\s+/g, " ");
const row = (cells: string[]) => `| ${cells.map(cell).join(" | ")} |`;

const columnsOf = (results: readonly Result[]) => [
  ...new Set(results.flatMap(({ verdicts }) => Object.keys(verdicts))),
];

const breakingText = (result: Result) =>
  `\`${result.file}\`: ${describeBreaking(result)}${result.sentence ? ` (${result.sentence})` : ""}`;

function countsOf(results: readonly Result[]): string {
  const counts = columnsOf(results).map((column) => {
    const states = results.flatMap(({ verdicts }) => verdicts[column]?.state ?? []);
    const noticed = states.filter((state) => state === "noticed").length;
    return `${column}: ${noticed} of ${states.length} noticed`;
  });
  return `${counts.join("; ")}.`;
}

/** Markdown: a row for each breaking that the last column did not notice. */
function unnoticedOf(results: readonly Result[]): string {
  const last = columnsOf(results).at(-1)!;
  return [
    countsOf(results),
    "",
    row(["", `not noticed (${last})`]),
    row(["---", "---"]),
    ...results
      .filter(({ verdicts }) => verdicts[last] && verdicts[last].state !== "noticed")
      .map((result) => row([result.id, breakingText(result)])),
  ].join("\n");
}

/** Markdown: a row for each breaking, a column for each suite that was tried. */
export function tableOf(results: readonly Result[]): string {
  const columns = columnsOf(results);
  return [
    countsOf(results),
    "",
    row(["", "breaking", ...columns]),
    row(["---", "---", ...columns.map(() => "---")]),
    ...results.map((result) =>
      row([
        result.id,
        breakingText(result),
        ...inShort(columns.map((column) => verdictText(result.verdicts[column]))),
      ]),
    ),
  ].join("\n");
}

/** The file alone, once where the suites agree. */
function inShort(verdicts: string[]): string[] {
  const [first, ...others] = verdicts.map((text) => text.split(" > ")[0]!);
  return [first!, ...others.map((each) => (each === first ? "the same" : each))];
}

export function verdictText(verdict: Verdict | undefined): string {
  if (!verdict) return "";
  const { state, by, passed, isFinal } = verdict;
  if (state === "noticed") return by!.replace(/^test\//, "").replace(".test.ts", "");
  const within = isFinal ? "" : " within the bound";
  if (state === "not noticed") return `**not noticed**${within} (${passed} files)`;
  return `**${state}**`;
}
