import * as z from "zod";
import type { Commonality } from "./draft.ts";

/**
 * The answer's shape as it goes over the wire. Without lengths and bounds, which not every endpoint takes: `readAnswer` and
 * the checks hold them.
 */
export const ANSWER_SCHEMA = {
  name: "email_draft",
  schema: {
    type: "object",
    properties: {
      subject: { type: "string" },
      body: { type: "string" },
      commonality: {
        type: "object",
        properties: {
          text: { type: "string" },
          confidence_score: { type: "number" },
          rarity_score: { type: "number" },
          relevance_score: { type: "number" },
          supporting_evidence: { type: "array", items: { type: "string" } },
        },
        required: [
          "text",
          "confidence_score",
          "rarity_score",
          "relevance_score",
          "supporting_evidence",
        ],
        additionalProperties: false,
      },
    },
    required: ["subject", "body", "commonality"],
    additionalProperties: false,
  },
};

const MAX_ANSWER = 100_000;
/** Prose has a few braces of its own before the answer begins. */
const MAX_TRIES = 20;
const MAX_EVIDENCE = 10;
const MAX_EVIDENCE_LENGTH = 1_000;

/** Scores of models are "0.8", 80 or missing: what is no number says nothing, and the rest stays within 0 and 1. */
const score = z.coerce
  .number()
  .catch(0)
  .transform((value) => Math.min(1, Math.max(0, value)));

const nothing: Commonality = {
  text: "",
  confidence_score: 0,
  rarity_score: 0,
  relevance_score: 0,
  supporting_evidence: [],
};

const commonality = z
  .object({
    text: z
      .string()
      .catch("")
      .transform((text) => text.slice(0, MAX_EVIDENCE_LENGTH)),
    confidence_score: score,
    rarity_score: score,
    relevance_score: score,
    supporting_evidence: z
      .array(z.unknown())
      .catch([])
      .transform((all) =>
        all
          .filter((each) => typeof each === "string")
          .slice(0, MAX_EVIDENCE)
          .map((each) => each.slice(0, MAX_EVIDENCE_LENGTH)),
      ),
  })
  .catch(nothing);

const answer = z.object({ subject: z.string(), body: z.string(), commonality });

export type Answer = z.infer<typeof answer>;

/**
 * The draft in what a model wrote: JSON alone, in a code fence, within prose, or within another object. Null when there is
 * none, or when it breaks off.
 */
export function readAnswer(text: string): Answer | null {
  if (text.length > MAX_ANSWER) return null;
  let at = text.indexOf("{");
  for (let tries = 0; at !== -1 && tries < MAX_TRIES; tries++) {
    const end = endOfObject(text, at);
    const read = end === -1 ? null : parse(text.slice(at, end));
    if (read !== null) return read;
    at = text.indexOf("{", at + 1);
  }
  return null;
}

function parse(json: string): Answer | null {
  try {
    return answer.safeParse(JSON.parse(json)).data ?? null;
  } catch {
    return null;
  }
}

/** Where the object that begins here is closed, braces within strings not counted; -1 when it never is. */
function endOfObject(text: string, from: number): number {
  let depth = 0;
  let inString = false;
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    if (inString) {
      if (character === "\\") at++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "{") depth++;
    else if (character === "}" && --depth === 0) return at + 1;
  }
  return -1;
}
