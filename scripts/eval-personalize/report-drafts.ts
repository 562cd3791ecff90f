import { askForDraft } from "#src/domain/research/personalization/ask-for-draft.ts";
import type { Draft, DraftResult } from "#src/domain/research/personalization/draft.ts";
import type { Endpoint } from "./asker.ts";
import { changed, type EvalLead, requestOf } from "./leads.ts";

const WORKSPACE = "00000000-0000-4000-8000-000000000001";

const write = ({ asker }: Endpoint, lead: EvalLead): Promise<DraftResult> =>
  askForDraft(asker, WORKSPACE, requestOf(lead));

export interface Compared {
  before: DraftResult;
  after: DraftResult;
  /** Of the first facts, after both. */
  again: DraftResult;
  /** Why the change is not one of the fact alone; null when it is. */
  beyond: string | null;
}

/** A lead's draft, with its fact changed, and as it was once more. */
export async function compareDrafts(endpoint: Endpoint, lead: EvalLead): Promise<Compared> {
  const before = await write(endpoint, lead);
  const after = await write(endpoint, changed(lead));
  const again = await write(endpoint, lead);
  const beyond =
    before.ok && after.ok ? changedBeyond(lead, before.draft, after.draft) : "NO DRAFT";
  return { before, after, again, beyond };
}

/** Prints each lead's draft beside the facts it used, and what a changed fact changed. True when all of it is as it should be. */
export async function reportDrafts(
  endpoint: Endpoint,
  leads: readonly EvalLead[],
): Promise<boolean> {
  let [written, local, repeated] = [0, 0, 0];
  for (const [at, lead] of leads.entries()) {
    const { before, after, again, beyond } = await compareDrafts(endpoint, lead);
    const { first_name, last_name, company } = lead.lead;
    console.log(`\n--- ${at + 1}. ${first_name} ${last_name}, ${company} (${lead.setting})`);
    if (!before.ok || !after.ok || !again.ok) {
      const reasons = [before, after, again].map((each) => (each.ok ? "written" : each.reason));
      console.log(`    no draft: ${reasons.join(" | ")}`);
      continue;
    }
    written++;
    printBeside(lead, before.draft);
    console.log(
      `    "${lead.change.from}" -> "${lead.change.to}": ${beyond ?? "changes what states it, and nothing else"}`,
    );
    if (beyond === null) local++;
    if (textOf(before.draft) === textOf(again.draft)) repeated++;
  }
  console.log(
    `\nDrafts: ${written} of ${leads.length} written and passed every check; ${local} change with their fact and nowhere else; ${repeated} are the same again`,
  );
  // Other models write another text each time: of them only that they write is asked.
  const all = endpoint.isComposer ? [written, local, repeated] : [written];
  return all.every((count) => count === leads.length);
}

const textOf = ({ subject, body }: Draft): string => `${subject}\n${body}`;

function printBeside(
  { lead, website = "", search = "" }: EvalLead,
  { subject, body, claims, sources }: Draft,
): void {
  const facts = [...Object.entries(lead), ["website", website], ["search", search]];
  for (const [name, value] of facts)
    if (value !== "") console.log(`    ${name!.padEnd(11)}${value}`);
  console.log(
    `  | ${subject}\n  |\n${body
      .split("\n")
      .map((line) => `  | ${line}`)
      .join("\n")}`,
  );
  for (const { start, end, kind, source_index } of claims)
    console.log(
      `    ${kind.padEnd(7)}${body.slice(start, end)}  <- ${source_index === null ? "NO SOURCE" : sources[source_index]!.name}`,
    );
}

const sentencesOf = (draft: Draft): string[] =>
  textOf(draft)
    .split(/\n+|(?<=[.!?])\s+/)
    .filter((each) => each !== "");

/** Why the change is not one of the fact alone; null when it is. */
function changedBeyond({ change }: EvalLead, before: Draft, after: Draft): string | null {
  const [old, fresh] = [sentencesOf(before), sentencesOf(after)];
  const gone = old.filter((each) => !fresh.includes(each));
  const come = fresh.filter((each) => !old.includes(each));
  if (gone.length === 0 && come.length === 0) return "CHANGES NOTHING";
  const other =
    gone.find((each) => !each.includes(change.from)) ??
    come.find((each) => !each.includes(change.to));
  return other === undefined ? null : `CHANGES ELSEWHERE: ${other}`;
}
