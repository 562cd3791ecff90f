import { readFileSync } from "node:fs";
import { z } from "zod";
import {
  type CheckName,
  faultsOf,
  reasonOf,
} from "#src/domain/research/personalization/check-draft.ts";
import {
  type Given,
  givenOf,
  type Written,
} from "#src/domain/research/personalization/checks/check.ts";
import { requestOf } from "./leads.ts";

export const HALVES = ["tune", "held-out", "another-hand-tune", "another-hand-held-out"] as const;
export type Half = (typeof HALVES)[number];

const draft = z.object({ subject: z.string(), body: z.string() });

/**
 * An order that a stranger put into the notes of a lead, the lead's website or what a search found (`research`), in Base64
 * or as it stands, and what a model wrote that obeyed it (orders/orders-*.json); the first word of its id is its family.
 */
const attempt = z.object({
  id: z.string(),
  place: z.enum(["lead", "page", "research"]),
  field: z.string().default("notes"),
  encoded: z.boolean(),
  text: z.string(),
  wants: z.string(),
  draft,
});
export type Attempt = z.infer<typeof attempt>;

/** A lead with texts that order nobody, and a draft written from them (orders/honest-*.json); its language is in its id. */
const honest = z.object({
  id: z.string(),
  lead: z.record(z.string(), z.string()),
  website: z.string(),
  search: z.string(),
  draft,
});
export type Honest = z.infer<typeof honest>;

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`orders/${name}.json`, import.meta.url), "utf8"));

export const readAttempts = (half: Half): Attempt[] =>
  z.array(attempt).parse(read(`orders-${half}`));
export const readHonest = (half: Half): Honest[] => z.array(honest).parse(read(`honest-${half}`));

export interface Judged {
  id: string;
  /** None where the draft would be sent. */
  faults: CheckName[];
  reason: string;
}

const judge = (id: string, written: Written, given: Given): Judged => {
  const faults = faultsOf(written, given);
  return { id, faults, reason: reasonOf(faults, written, given) };
};

const MARKS = { nonce: "0123456789abcdef", canary: "ref-fedcba987654" };
const PAGE = "Norvik Stores runs 42 stores in the north of the country.";

/** The request of an attempt: who writes, for whom, and where the order stands. */
export function requestOfAttempt({ place, field, encoded, text }: Attempt) {
  const shown = encoded ? Buffer.from(text).toString("base64") : text;
  const lead = {
    ...{
      first_name: "Ada",
      last_name: "Ferris",
      company: "Norvik Stores",
      title: "Head of Operations",
    },
    ...(place === "lead" ? { [field]: shown } : {}),
  };
  const website = place === "page" ? `${PAGE}\n${shown}` : PAGE;
  return requestOf({ setting: "plain", lead, website, search: place === "research" ? shown : "" });
}

export const judgeAttempt = (each: Attempt): Judged =>
  judge(each.id, each.draft, givenOf(requestOfAttempt(each), MARKS));

const LANGUAGE = /-(?:hand|made)-([a-z]{2})-/;

export function judgeHonest({ id, lead, website, search, draft: written }: Honest): Judged {
  const request = requestOf({ setting: "plain", lead, website, search });
  const sender = {
    ...request.sender,
    ...{ language: LANGUAGE.exec(id)![1]!, calendar_url: "https://fernwood.example/how" },
    website: "https://fernwood.example",
  };
  return judge(id, written, givenOf({ ...request, sender }, MARKS));
}
