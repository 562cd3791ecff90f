import { readFileSync } from "node:fs";
import { z } from "zod";
import type { DraftRequest } from "#src/domain/research/personalization/draft.ts";
import { leadFacts, senderFacts } from "#src/domain/research/personalization/facts.ts";
import { resolvePrompt } from "#src/domain/research/personalization/prompts.ts";
import type { ResearchSource } from "#src/domain/research/personalization/research/report.ts";

const facts = z.record(z.string(), z.string());

/** Sender, template and prompt of a letter, by name (settings.json). */
const settings = z.record(
  z.string(),
  z.object({
    prompt: z.string().nullable(),
    sender: facts,
    template: z.object({ subject: z.string(), body: z.string() }).nullable(),
  }),
);

/** A lead and what was found about it (leads.json); `change` is the fact that is changed, of the lead or of a source. */
const lead = z.object({
  setting: z.string(),
  lead: facts,
  website: z.string().default(""),
  search: z.string().default(""),
  change: z.object({ field: z.string(), from: z.string(), to: z.string() }),
});
export type EvalLead = z.infer<typeof lead>;

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"));

export const readLeads = (): EvalLead[] => z.array(lead).parse(read("leads.json"));

const known = settings.parse(read("settings.json"));

export function requestOf({
  setting,
  lead,
  website,
  search,
}: Omit<EvalLead, "change">): DraftRequest {
  const { prompt, sender, template } = known[setting]!;
  return {
    prompt: resolvePrompt({ campaign: prompt }),
    lead: leadFacts(lead),
    sender: senderFacts(sender),
    template,
    continuesThread: false,
    research: {
      text: [website, search].filter((text) => text !== "").join("\n\n"),
      sources: [source("website", website), source("search", search)],
      latencyMs: 0,
      fromCache: false,
      cachedAt: null,
      zeroReason: null,
    },
  };
}

const source = (name: "website" | "search", summary: string): ResearchSource => ({
  name,
  status: summary === "" ? "empty" : "ok",
  summary,
  meta: {},
  from_cache: false,
});

/** The same lead with its fact changed, wherever that stands. */
export function changed(of: EvalLead): EvalLead {
  const { field, from, to } = of.change;
  if (field === "website" || field === "search")
    return { ...of, [field]: of[field].replaceAll(from, to) };
  return { ...of, lead: { ...of.lead, [field]: of.lead[field]!.replaceAll(from, to) } };
}
