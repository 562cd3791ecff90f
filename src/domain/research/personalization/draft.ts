import type { ResearchReport } from "./research/report.ts";

/** Where the instructions came from. */
export type PromptSource =
  | "default"
  | "sender_profile_custom"
  | "campaign_system_prompt"
  | "custom_override";

/** Instructions to the model, from the first source that has any. */
export interface Prompt {
  text: string;
  source: PromptSource;
}

/** What is known of a person or a sender, by the field's name; nothing that is empty. */
export type Facts = Readonly<Record<string, string>>;

/** Everything a draft is written from. Lead, research and template are data: none of them is obeyed. */
export interface DraftRequest {
  prompt: Prompt;
  lead: Facts;
  sender: Facts;
  /** The step's own text, as it would be sent without personalization; null for a letter from nothing. */
  template: { subject: string; body: string } | null;
  /** The same as the customer wrote it, unfilled, so that it is one for all leads; absent where nothing is filled. */
  templateSource?: string | undefined;
  /** The letter continues a thread: it has no subject of its own. */
  continuesThread: boolean;
  research: ResearchReport;
}

/** A span of the body (UTF-16 offsets, end exclusive) that states something, and the given text that holds it. */
export interface Claim {
  start: number;
  end: number;
  kind: "number" | "name" | "quote";
  /** Index into the draft's `sources`; null where none holds it. */
  source_index: number | null;
}

/** A text that was given to the model, under the name by which a person knows it. */
export interface GivenSource {
  name: "lead_data" | "sender" | "template" | "prompt" | ResearchReport["sources"][number]["name"];
  text: string;
}

/** What two people have in common, as the model sees it. Scores are 0 to 1. */
export interface Commonality {
  text: string;
  confidence_score: number;
  rarity_score: number;
  relevance_score: number;
  /** Each stands, word by word, in what was given. */
  supporting_evidence: string[];
}

/** A text that passed every check. */
export interface Draft {
  /** "" where it continues a thread. */
  subject: string;
  body: string;
  commonality: Commonality;
  claims: Claim[];
  /** What `source_index` counts in. */
  sources: GivenSource[];
  /** The model that wrote it, as the endpoint says. */
  model: string;
  latencyMs: number;
  usage: DraftUsage;
}

export interface DraftUsage {
  calls: number;
  prompt_tokens: number;
  completion_tokens: number;
  cost_micros: number | null;
}

export type DraftResult =
  | { ok: true; draft: Draft }
  | {
      ok: false;
      /** `model`: it was away, slow or at its limit, and the same may work later. `text`: what it wrote for this lead passes no check. */
      blame: "model" | "text";
      /** In words that a person reads. */
      reason: string;
      /** The text all the same, where nothing is wrong with it but an order that it repeats: for a person to judge. */
      held?: Draft;
      timedOut?: boolean;
      retryAfterSeconds?: number;
      usage: DraftUsage;
    };
