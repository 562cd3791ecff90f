import { htmlToVisibleText } from "#src/mime/visible-text.ts";

/**
 * Keeps what other people wrote apart from what this service says: in a tool's answer every text that is not of a fixed
 * set stands in a field `untrusted_...`, without what its reader would not have seen. A field that is not listed here is foreign.
 */

/** Fields whose texts are of a fixed set, or drawn by this service. */
const OWN = new Set(
  (
    "action action_type approved basis by class channel code cursor direction intent kind lead_status launch_type " +
    "next_cursor paused_reason plan poll_url result risk_level backend role scope send_days severity state status " +
    "tool type types writer confirm_token expires_at timezone unreviewed_launch_policy sending_window_start " +
    "sending_window_end network transaction payer plan_id path next"
  ).split(" "),
);

/** Names of checks and reasons are of a fixed set, and those of people and campaigns are not. */
const OWN_UNDER: Record<string, readonly string[]> = { checks: ["name"], warnings: ["name"] };

/** Objects whose very names others chose: the columns of an imported file. */
const FOREIGN_OBJECTS = new Set(
  "custom metadata mapping variables verification columns".split(" "),
);

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const INSTANT = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)?)?$/;

const isOwnShape = (text: string) => UUID.test(text) || INSTANT.test(text);

/** Controls, what has no width, what turns the direction of writing, and the tags and selectors that no program shows. */
const UNSEEN =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- they are what is taken out
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;

/** A text as its reader saw it. */
export const seen = (text: string): string =>
  text
    .replace(UNSEEN, "")
    // Far below, or far to the right, of what a window shows.
    .replace(/\n\s*\n\s*\n+/g, "\n\n")
    .replace(/[^\S\n]{20,}/g, " ");

/** The answer with foreign text under names that say so. */
export function fence(value: unknown, under = ""): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => fence(each, under));
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value as Record<string, unknown>);
  const isMessage = "html" in value && "text" in value;
  const shown = isMessage ? entries.map((each) => visible(each, value as Message)) : entries;
  return Object.fromEntries(
    shown.flatMap(([name, inner]) => (inner === undefined ? [] : [fenced(name, inner, under)])),
  );
}

interface Message {
  text: string;
  html: string | null;
}

/** A mail whose reader saw its HTML says what that shows: its other text may be for machines alone. */
function visible([name, value]: [string, unknown], { html }: Message): [string, unknown] {
  if (name === "html") return [name, undefined];
  return name === "text" && html !== null ? [name, htmlToVisibleText(html)] : [name, value];
}

function fenced(name: string, value: unknown, under: string): [string, unknown] {
  if (name.startsWith("untrusted_")) return [name, foreign(value)];
  const isForeignName = !/^[a-z][a-z0-9_]{0,60}$/.test(name);
  if (isForeignName || FOREIGN_OBJECTS.has(name) || isForeign(name, value, under))
    return [`untrusted_${seen(name)}`, foreign(value)];
  return [name, fence(value, name)];
}

function isForeign(name: string, value: unknown, under: string): boolean {
  if (OWN.has(name) || OWN_UNDER[under]?.includes(name) === true) return false;
  if (typeof value === "string") return !isOwnShape(value);
  return (
    Array.isArray(value) && value.some((each) => typeof each === "string" && !isOwnShape(each))
  );
}

/** All below is another's, names and all. */
function foreign(value: unknown): unknown {
  if (typeof value === "string") return seen(value);
  if (Array.isArray(value)) return value.map(foreign);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [seen(name), foreign(inner)]),
  );
}
