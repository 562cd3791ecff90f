import * as fs from "node:fs";
import type { CampaignFile, OvertureError } from "../sdk/index.ts";
import { escaped, type Place, placeAt, readJsonc, SyntaxFault } from "./jsonc.ts";
import { Refusal } from "./refusal.ts";
import { secretAt, secretsIn } from "./secrets.ts";
import { plain } from "./terminal.ts";

const LARGEST = 1_000_000;

export interface ReadFile {
  name: string;
  /** As it is written: whether it fits is the service's to say. */
  campaign: CampaignFile;
  /** `file:line:column` of a place in it. */
  where(pointer: string): string;
}

/** A campaign's file. What is no JSON, and what has a secret in it, leaves this machine not at all. */
export function readCampaignFile(name: string): ReadFile {
  const text = readText(name);
  const at = ({ line, column }: Place) => `${name}:${line}:${column}`;
  let read;
  try {
    read = readJsonc(text);
  } catch (error) {
    if (!(error instanceof SyntaxFault)) throw error;
    throw new Refusal(`${at(error.place)}: ${error.message}`);
  }
  const { value, places } = read;
  const where = (pointer: string) => at(placeOf(places, pointer));
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Refusal(`${where("")}: a campaign is an object`);
  const secrets = secretsIn(value);
  if (secrets.length > 0)
    throw new Refusal(
      ...secrets.map(
        ({ pointer, what }) =>
          `${where(pointer)}: ${plain(pointer)} is ${what}, which does not belong in a file`,
      ),
    );
  const beside = secretAt(text);
  if (beside !== null)
    throw new Refusal(
      `${at(placeAt(text, beside.index))}: here is ${beside.what}, which does not belong in a file`,
    );
  return { name, campaign: value as CampaignFile, where };
}

function readText(name: string): string {
  try {
    if (fs.statSync(name).size > LARGEST)
      throw new Refusal(`${name}: a campaign's file has at most ${LARGEST} bytes`);
    return new TextDecoder("utf-8", { fatal: true }).decode(fs.readFileSync(name));
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(`${name}: ${(error as Error).message}`);
  }
}

/** The nearest that the file has: what is missing has no place of its own. */
function placeOf(places: ReadonlyMap<string, Place>, pointer: string): Place {
  let at = pointer;
  while (!places.has(at) && at !== "") at = at.slice(0, at.lastIndexOf("/"));
  return places.get(at) ?? { line: 1, column: 1 };
}

/** What the service says against a file, each with its place. */
export function complaints(file: ReadFile, { problem, code, message }: OvertureError): string[] {
  const errors = Array.isArray(problem["errors"]) ? (problem["errors"] as Fault[]) : [];
  const inFile = errors.flatMap(({ pointer, message: why }) =>
    pointer?.startsWith("#/campaign")
      ? unknownIn(why, decodeURIComponent(pointer.slice("#/campaign".length)))
      : [],
  );
  if (inFile.length > 0)
    return inFile.map(
      ({ pointer, why }) => `${file.where(pointer)}: ${plain(pointer || "/")} ${plain(why)}`,
    );
  const { name, ids } = problem;
  const pointer = typeof name === "string" ? pointerOf(file.campaign, name) : undefined;
  const several = Array.isArray(ids) ? [`  one of ${plain(ids.join(", "))}`] : [];
  return [`${file.where(pointer ?? "")}: ${plain(message)} (${code})`, ...several];
}

/** A field that the service does not know it names in its message, and points at what has it. */
function unknownIn(why: string, pointer: string): { pointer: string; why: string }[] {
  const [, names] = /^Unrecognized keys?: (.*)$/s.exec(why) ?? [];
  const found = names?.match(/"(?:[^"\\]|\\.)*"/g) ?? [];
  if (found.length === 0) return [{ pointer, why }];
  return found.map((name) => ({
    pointer: `${pointer}/${escaped(name.slice(1, -1))}`,
    why: "is no field of a campaign",
  }));
}

interface Fault {
  pointer?: string;
  message: string;
}

/** Where the file says a name. */
function pointerOf(value: unknown, name: string, pointer = ""): string | undefined {
  if (value === name) return pointer;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, each] of Object.entries(value)) {
    const found = pointerOf(each, name, `${pointer}/${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
