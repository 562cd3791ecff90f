import type { ChatMessage } from "#src/providers/model/index.ts";
import { fingerprintOf } from "./canonical.ts";
import { cleanText } from "./clean-text.ts";
import type { DraftRequest, Facts, GivenSource } from "./draft.ts";
import { RULES } from "./prompts.ts";

/** Characters of data that a model is shown, all in all; and of what is cut, the longest is cut first. */
export const MAX_DATA = 20_000;
const MAX_KEY = 100;

/** What a letter is not written with: it could only leak. */
const WITHHELD = new Set(["email", "phone"]);

export const BLOCKS = ["sender", "template", "lead", "research"] as const;
type BlockName = (typeof BLOCKS)[number];
type Data = Readonly<Record<BlockName, Facts>>;

/** Words that are ours alone: data cannot know them, and a draft that has one gives our prompt away. */
export interface Marks {
  /** Names the fences. */
  nonce: string;
  canary: string;
}

export interface BuiltPrompt {
  messages: readonly ChatMessage[];
  marks: Marks;
  /** The data as it was shown, for claims to be looked up in. */
  sources: GivenSource[];
}

/**
 * The two messages a draft is asked for with. The system message is the same for all leads of a step, and so are the first
 * blocks of the user message, which endpoints cache; nonce and canary come from the workspace and the step, so the same
 * request is the same text again. Data is JSON whose angle brackets are escaped: no text can close the fence it is in.
 */
export async function buildPrompt(
  workspaceId: string,
  request: DraftRequest,
): Promise<BuiltPrompt> {
  const marks = await marksOf(workspaceId, request);
  const data = shownData(request);
  return {
    marks,
    sources: sourcesOf(request, data),
    messages: [
      { role: "system", content: systemMessage(request, marks) },
      { role: "user", content: userMessage(request, data, marks) },
    ],
  };
}

async function marksOf(workspaceId: string, request: DraftRequest): Promise<Marks> {
  const { prompt, sender, template } = request;
  const hash = await fingerprintOf({ workspaceId, prompt: prompt.text, sender, template });
  return { nonce: hash.slice(0, 16), canary: `ref-${hash.slice(16, 28)}` };
}

function systemMessage({ prompt }: DraftRequest, { canary }: Marks): string {
  return `Reference: ${canary}

Rules:
${RULES.map((rule) => `- ${rule}`).join("\n")}

The sender's instructions:
${prompt.text}

Reference: ${canary}`;
}

function userMessage({ continuesThread }: DraftRequest, data: Data, { nonce }: Marks): string {
  const blocks = BLOCKS.filter((name) => Object.keys(data[name]).length > 0).map(
    (name) => `<data-${nonce} name="${name}">\n${fencedJson(data[name])}\n</data-${nonce}>`,
  );
  const subject = continuesThread
    ? 'The email continues a thread: its subject is "".'
    : "The email begins a thread: its subject is one line of at most 80 characters.";
  return `${blocks.join("\n")}
${subject} Write it, and say in "commonality" what lead and sender have in common: "text" in one sentence, scores from 0 to 1, "supporting_evidence" copied word by word from the data. Answer with the JSON object alone: {"subject", "body", "commonality": {"text", "confidence_score", "rarity_score", "relevance_score", "supporting_evidence"}}.`;
}

const fencedJson = (facts: Facts): string =>
  JSON.stringify(facts).replaceAll("<", "\\u003c").replaceAll(">", "\\u003e");

/** What the model is shown, cut to `MAX_DATA`. */
export function shownData({ sender, template, lead, research }: DraftRequest): Data {
  const pages = research.sources.map(({ name, summary }) => [name, summary] as const);
  const data = {
    sender: cleanFacts(sender),
    template: cleanFacts(template ?? {}),
    lead: cleanFacts(lead),
    research: cleanFacts(Object.fromEntries(pages)),
  };
  const shares = fairShares(
    BLOCKS.map((name) => sizeOf(data[name])),
    MAX_DATA,
  );
  const cut = BLOCKS.map((name, at) => [name, cutFacts(data[name], shares[at]!)] as const);
  return Object.fromEntries(cut) as Record<BlockName, Facts>;
}

const cleanFacts = (facts: Readonly<Record<string, string>>): Facts =>
  Object.fromEntries(
    Object.entries(facts)
      .filter(([key]) => !WITHHELD.has(key))
      .map(([key, value]) => [cleanText(key).slice(0, MAX_KEY), cleanText(value)])
      .filter(([, value]) => value !== ""),
  );

const sizeOf = (facts: Facts): number =>
  Object.entries(facts).reduce((sum, [key, value]) => sum + key.length + value.length, 0);

function cutFacts(facts: Facts, size: number): Facts {
  const entries = Object.entries(facts);
  if (sizeOf(facts) <= size) return facts;
  const shares = fairShares(
    entries.map(([key, value]) => key.length + value.length),
    size,
  );
  const cut = entries.map(([key, value], at) => {
    const length = Math.max(0, shares[at]! - key.length);
    return [
      key,
      value
        .slice(0, length)
        .replace(/[\ud800-\udbff]$/, "")
        .trim(),
    ] as const;
  });
  return Object.fromEntries(cut.filter(([, value]) => value !== ""));
}

/** What was shown, as a person would look it up: facts a line each, research by its source, and the instructions. */
function sourcesOf({ prompt }: DraftRequest, data: Data): GivenSource[] {
  const lines = (facts: Facts) =>
    Object.entries(facts)
      .map(([key, value]) => `${key}: ${value}`)
      .join("\n");
  const given: GivenSource[] = [
    { name: "lead_data", text: lines(data.lead) },
    ...Object.entries(data.research).map(([name, text]) => ({ name, text }) as GivenSource),
    { name: "sender", text: lines(data.sender) },
    { name: "template", text: lines(data.template) },
    { name: "prompt", text: prompt.text },
  ];
  return given.filter(({ text }) => text !== "");
}

/**
 * How much of `total` each may take that wants `sizes`: what is small is kept whole, and what is large shares the rest evenly,
 * so that no long text pushes out another.
 */
export function fairShares(sizes: readonly number[], total: number): number[] {
  const shares = sizes.map(() => 0);
  let left = total;
  const bySize = sizes.map((size, at) => ({ size, at })).toSorted((a, b) => a.size - b.size);
  for (const [rank, { size, at }] of bySize.entries()) {
    const share = Math.min(size, Math.floor(left / (bySize.length - rank)));
    shares[at] = share;
    left -= share;
  }
  return shares;
}
