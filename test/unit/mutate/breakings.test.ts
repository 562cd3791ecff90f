import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  applied,
  BREAKING_KINDS,
  breakingOf,
  describeBreaking,
  type Edit,
  placeOf,
} from "../../../scripts/mutate/breaking.ts";
import { byHandBreakings } from "../../../scripts/mutate/by-hand.ts";
import { drawBreakings } from "../../../scripts/mutate/draw.ts";
import { editsOf } from "../../../scripts/mutate/edits.ts";
import { parse } from "../../../scripts/mutate/syntax.ts";

const FILE = "src/domain/engine/example.ts";
const TEXT = `
import { sql } from "drizzle-orm";
const DAY_MS = 24 * 3_600_000;
type Few = 1 | 2;

export async function due(db: Db, at: Date, most: number): Promise<Row[]> {
  if (most <= 0) return [];
  const { rows } = await db.execute(sql\`
    select id, state from sends s
    where s.due_at <= \${at} and s.day between 1 and 2
      and (s.kind = 'for update' or s.open)
    order by s.due_at limit \${most > 10 && at !== null ? 10 : most} for update of s skip locked\`);
  log.info("due", { count: rows.length });
  return rows.filter((row) => row.state === "due" || (row.late && DAY_MS > 5));
}
`;
const textsOf = (text: string, edits: readonly Edit[]) =>
  edits.map(({ start, end, to }) => `${text.slice(start, end)} -> ${to}`);
const ofKind = (kind: Edit["kind"]) =>
  textsOf(
    TEXT,
    editsOf(FILE, TEXT).filter((edit) => edit.kind === kind),
  );

test("comparisons are turned", () => {
  expect(ofKind("comparison")).toEqual([
    "<= -> <",
    "> -> >=",
    "!== -> ===",
    "=== -> !==",
    "> -> >=",
  ]);
});

test("bounds are numbers in comparisons and constants, and none of a type", () => {
  expect(ofKind("bound").map((text) => text.split(" -> ")[0])).toEqual(
    ["24", "3_600_000", "0", "10", "5"].flatMap((bound) =>
      Array(bound === "0" ? 1 : 3).fill(bound),
    ),
  );
});

test("conditions are negated, and sides of them left out", () => {
  expect(ofKind("condition")).toEqual([
    "most <= 0 -> !(most <= 0)",
    "most > 10 && at !== null -> !(most > 10 && at !== null)",
    "most > 10 && at !== null -> most > 10",
    "most > 10 && at !== null -> at !== null",
    'row.state === "due" || (row.late && DAY_MS > 5) -> row.state === "due"',
    'row.state === "due" || (row.late && DAY_MS > 5) -> (row.late && DAY_MS > 5)',
    "row.late && DAY_MS > 5 -> row.late",
    "row.late && DAY_MS > 5 -> DAY_MS > 5",
  ]);
});

test("of a statement in SQL a condition or a lock is left out, never half of a `between` or a word in quotes", () => {
  expect(ofKind("sql")).toEqual([
    "where s.due_at <= ${at} and -> where",
    "and s.day between 1 and 2 -> ",
    "and (s.kind = 'for update' or s.open) -> ",
    "for update of s skip locked -> ",
    " skip locked -> ",
  ]);
});

test("what is done on conflict is left out up to what is returned", () => {
  const text =
    "const put = sql`insert into t (a) values (1) on conflict (a) do update set n = t.n + 1 where t.n < 5 returning n`;";
  expect(textsOf(text, editsOf(FILE, text))).toContain(
    "on conflict (a) do update set n = t.n + 1 where t.n < 5 -> ",
  );
});

test("an await, a guard and a statement of its own are left out", () => {
  expect(ofKind("await")).toEqual(["await  -> "]);
  expect(ofKind("statement")).toEqual([
    "if (most <= 0) return []; -> ",
    'log.info("due", { count: rows.length }); -> ',
  ]);
});

test("every breaking still parses", () => {
  for (const edit of editsOf(FILE, TEXT))
    expect(parse(FILE, applied(TEXT, edit, edit.to))).toBeDefined();
});

test("the same seed draws the same, of each kind as many, and another seed others", () => {
  const files = new Map([
    [FILE, TEXT],
    ["src/domain/other.ts", TEXT.replaceAll("due", "open")],
    ["src/domain/third.ts", TEXT.replaceAll("due", "late")],
  ]);
  const drawn = drawBreakings(7, 6, files);
  expect(drawBreakings(7, 6, files)).toEqual(drawn);
  expect(drawn.map(({ kind }) => kind).toSorted()).toEqual([...BREAKING_KINDS].toSorted());
  expect(drawBreakings(8, 6, files)).not.toEqual(drawn);
});

test("a change elsewhere draws the same", () => {
  const files = (more: string) => new Map([[FILE, more + TEXT]]);
  const drawn = drawBreakings(7, 2, files(""));
  expect(drawBreakings(7, 2, files("export type Later = string;\n"))).toMatchObject(
    drawn.map(({ file, from, to }) => ({ file, from, to })),
  );
});

test("a breaking is found again where lines have moved and what is around it has changed a little", () => {
  const start = TEXT.indexOf("<= 0");
  const breaking = breakingOf("1", FILE, TEXT, {
    kind: "comparison",
    start,
    end: start + 2,
    to: "<",
  });
  const moved = `// A line.\n${TEXT.replace("most: number)", "most = 5)")}`;
  const place = placeOf(moved, breaking)!;
  expect(applied(moved, place, breaking.to)).toBe(moved.replace("<= 0", "< 0"));
});

test("a breaking has no place where its words are gone, or stand twice in the same", () => {
  const start = TEXT.indexOf("24 *");
  const breaking = breakingOf("1", FILE, TEXT, { kind: "bound", start, end: start + 2, to: "25" });
  expect(placeOf(TEXT.replace("24 * 3_600_000", "86_400_000"), breaking)).toBeUndefined();
  expect(placeOf(TEXT + TEXT, breaking)).toBeUndefined();
});

test("a breaking is told in one line, with its own where it is short", () => {
  const start = TEXT.indexOf("<= 0");
  const told = describeBreaking(
    breakingOf("1", FILE, TEXT, { kind: "comparison", start, end: start + 2, to: "<" }),
  );
  expect(told).toBe("`if (most <= 0) return [];` -> `if (most < 0) return [];`");
});

test("those by hand are of thirty sentences, and each has its place in the code", () => {
  expect(new Set(byHandBreakings().map(({ sentence }) => sentence)).size).toBe(30);
  const elsewhere = byHandBreakings().filter(
    (breaking) => placeOf(readFileSync(breaking.file, "utf8"), breaking) === undefined,
  );
  expect(elsewhere.map(({ id }) => id)).toEqual([]);
});
