import { plainText } from "./plain-text.ts";
import { readJson } from "#src/platform/json.ts";

/** What schema.org calls a company, and what of it is worth a word. */
const TYPES = /^(organization|corporation|localbusiness|onlinebusiness|professionalservice|ngo)$/i;
const WORTH = ["name", "description", "slogan", "foundingDate", "numberOfEmployees"] as const;
/** Lists and graphs in each other. */
const MAX_DEPTH = 4;
const MAX_NODES = 200;

/** The company in a page's JSON-LD, as `name: ...; founded ...` in one line; "" where there is none, or no JSON. */
export function organizationIn(json: string): string {
  const found = findOrganization(readJson(json), { left: MAX_NODES }, 0);
  if (found === null) return "";
  const said = WORTH.flatMap((key) => {
    const value = textOf(found[key]);
    return value === "" ? [] : [`${LABELS[key]}: ${value}`];
  });
  const place = placeOf(found["address"]);
  return [...said, ...(place === "" ? [] : [`in: ${place}`])].join("; ");
}

const LABELS: Record<(typeof WORTH)[number], string> = {
  name: "company",
  description: "about",
  slogan: "slogan",
  foundingDate: "founded",
  numberOfEmployees: "employees",
};

type Node = Record<string, unknown>;
const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function findOrganization(value: unknown, budget: { left: number }, depth: number): Node | null {
  if (depth > MAX_DEPTH || budget.left-- <= 0) return null;
  if (isNode(value)) {
    if ([value["@type"]].flat().some((type) => typeof type === "string" && TYPES.test(type)))
      return value;
    return findOrganization(value["@graph"] ?? null, budget, depth + 1);
  }
  if (!Array.isArray(value)) return null;
  for (const each of value.slice(0, MAX_NODES)) {
    const found = findOrganization(each, budget, depth + 1);
    if (found !== null) return found;
  }
  return null;
}

/** Text, a number, or the `value` of what has one. */
function textOf(value: unknown): string {
  if (isNode(value)) return isNode(value["value"]) ? "" : textOf(value["value"]);
  if (typeof value !== "string" && typeof value !== "number") return "";
  return plainText(String(value).slice(0, 1_000)).slice(0, 400);
}

function placeOf(value: unknown): string {
  const address = Array.isArray(value) ? value[0] : value;
  if (!isNode(address)) return textOf(address);
  return [textOf(address["addressLocality"]), textOf(address["addressCountry"])]
    .filter((part) => part !== "")
    .join(", ");
}
