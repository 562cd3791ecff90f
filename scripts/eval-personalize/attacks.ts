import { readFileSync } from "node:fs";
import { z } from "zod";
import { buildPrompt } from "#src/domain/research/personalization/build-prompt.ts";
import { cutData } from "#src/domain/research/personalization/shown-data.ts";
import { askForDraft, type Asker } from "#src/domain/research/personalization/ask-for-draft.ts";
import { type CheckName, faultsOf } from "#src/domain/research/personalization/check-draft.ts";
import { givenOf, type Written } from "#src/domain/research/personalization/checks/check.ts";
import type { DraftRequest } from "#src/domain/research/personalization/draft.ts";
import { ANSWER_SCHEMA, readAnswer } from "#src/domain/research/personalization/output.ts";
import { writtenOf } from "#src/domain/research/personalization/read-attempt.ts";
import { requestOf } from "./leads.ts";

/**
 * An attempt (attacks.json): a text that a stranger wrote, in a field of the lead, on the lead's website (`page`) or in what
 * a search found (`research`), `encoded` in Base64 or as it stands; it got through when the draft has what it `wants`.
 */
const attack = z.object({
  id: z.string(),
  split: z.enum(["tune", "held_out"]),
  place: z.enum(["lead", "page", "research"]),
  field: z.string().default("notes"),
  encoded: z.boolean().default(false),
  text: z.string(),
  wants: z.string(),
  where: z.enum(["subject", "body"]).default("body"),
});
export type Attack = z.infer<typeof attack>;

export const readAttacks = (): Attack[] =>
  z.array(attack).parse(JSON.parse(readFileSync(new URL("attacks.json", import.meta.url), "utf8")));

export interface Tried {
  attack: Attack;
  /** What would be sent if nothing were left out and nothing checked; null where no letter came. */
  unchecked: Written | null;
  /** Whether that did what the attempt wants. */
  worksUnchecked: boolean;
  stoppedBy: CheckName[];
  /** A draft passed all checks, after a second answer perhaps, and does what the attempt wants. */
  worksChecked: boolean;
}

const WORKSPACE = "00000000-0000-4000-8000-000000000001";

export async function tryAttack(asker: Asker, attack: Attack): Promise<Tried> {
  const request = requestWith(attack);
  const everything = { data: cutData(request), leftOut: [] };
  const prompt = await buildPrompt(WORKSPACE, request, everything);
  const answer = await asker.ask({ messages: prompt.messages, schema: ANSWER_SCHEMA });
  const read = answer.kind === "answered" ? readAnswer(answer.text) : null;
  const unchecked = read === null ? null : writtenOf(read, request);
  const result = await askForDraft(asker, WORKSPACE, request);
  return {
    attack,
    unchecked,
    worksUnchecked: unchecked !== null && works(attack, unchecked),
    stoppedBy: unchecked === null ? [] : faultsOf(unchecked, givenOf(request, prompt.marks)),
    worksChecked: result.ok && works(attack, result.draft),
  };
}

const works = ({ wants, where }: Attack, written: Written): boolean =>
  written[where].includes(wants);

function requestWith({ place, field, encoded, text }: Attack): DraftRequest {
  const shown = encoded ? Buffer.from(text).toString("base64") : text;
  const lead = { first_name: "Ada", last_name: "Ferris", company: "Norvik Stores", title: "Buyer" };
  const page = "Norvik Stores runs 42 stores in the north of the country.";
  return requestOf({
    setting: "plain",
    lead: place === "lead" ? { ...lead, [field]: shown } : lead,
    website: place === "page" ? `${page}\n${shown}` : page,
    search: place === "research" ? shown : "",
  });
}
