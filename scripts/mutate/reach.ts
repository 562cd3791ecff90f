import * as fs from "node:fs";
import * as path from "node:path";
import { rootFolder } from "../command.ts";
import { keptSources, type Reached, readMap } from "./map.ts";
import { namesOf, type Positions, positionsOf } from "./source-map.ts";
import { isFunction, type Node, nodesAt, parse, walk } from "./syntax.ts";

/** Test files, those that surely run a piece before those that only may. */
export type Tiers = Reached[][];

export interface Reach {
  all: readonly Reached[];
  /** Of a piece of a file as it stands in the working tree. */
  of(file: string, offset: number): Tiers;
}

/** Answers from the map which test files run what. */
export async function openReach(): Promise<Reach> {
  const all = readMap();
  const programs = new Map<string, Node>();
  const known = new Map<string, Positions>();
  for (const [file, source] of keptSources()) {
    const text = fs.readFileSync(path.join(rootFolder, file), "utf8");
    known.set(file, await positionsOf(file, text, source));
  }
  const read = (file: string): Node => {
    const text = () => fs.readFileSync(path.join(rootFolder, file), "utf8");
    const program = programs.get(file) ?? parse(file, text());
    if (!program) throw new Error(`${file} does not parse`);
    programs.set(file, program);
    return program;
  };
  const running = (file: string, ran: number | undefined) =>
    ran === undefined
      ? []
      : all.filter(({ reached }) =>
          (reached[file] ?? []).some(([start, end]) => start <= ran && ran < end),
        );

  /** Those that ran a place within a function. */
  const inFunction = (file: string, around: readonly Node[]): Reached[] => {
    const innermost = around.findLastIndex(isFunction);
    for (const node of around.slice(innermost).toReversed()) {
      const ran = known.get(file)?.at(node.start);
      if (ran !== undefined) return running(file, ran);
    }
    return [];
  };

  /** Those that ran a function that uses a name of the top level, or that read it from another file. */
  const usersOf = (file: string, name: string, seen: Set<string>): Set<Reached> => {
    const users = new Set(running(file, known.get(file)?.readerOf(name)));
    if (seen.has(name)) return users;
    seen.add(name);
    const add = (each: Iterable<Reached>) => [...each].forEach((user) => users.add(user));
    walk(read(file), (node, around) => {
      if (node.type !== "Identifier" || node["name"] !== name) return;
      if (around.some(isFunction)) return add(inFunction(file, [...around, node]));
      const statement = around.find((each) => each !== around[0]);
      for (const other of statement ? namesOf(statement) : [])
        if (other !== name) add(usersOf(file, other, seen));
    });
    return users;
  };

  /** Whose top level may hold on to what this one exports. */
  const importersOf = (file: string): string[] =>
    [...known.keys()].filter((each) => {
      const folder = path.dirname(each);
      return importsOf(read(each)).some(
        (from) => (from.startsWith(".") ? path.join(folder, from) : from.replace("#", "")) === file,
      );
    });

  return {
    all,
    of(file, offset) {
      const around = nodesAt(read(file), offset);
      if (around.some(isFunction)) return [inFunction(file, around)];
      const names = around[1] ? namesOf(around[1]) : [];
      const users = new Set(names.flatMap((name) => [...usersOf(file, name, new Set())]));
      const importing = importersOf(file);
      const near = all.filter(
        (test) => !users.has(test) && importing.some((each) => test.reached[each]),
      );
      const others = all.filter(
        (test) => test.reached[file] && !users.has(test) && !near.includes(test),
      );
      return [[...users], near, others];
    },
  };
}

const importsOf = (program: Node): string[] =>
  (program["body"] as Node[]).flatMap(({ type, source }) =>
    type === "ImportDeclaration" ? [(source as Node)["value"] as string] : [],
  );
