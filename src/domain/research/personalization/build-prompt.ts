import type { ChatMessage } from "#src/providers/model/index.ts";
import { fingerprintOf } from "./canonical.ts";
import type { DraftRequest, Facts, GivenSource } from "./draft.ts";
import { RULES } from "./prompts.ts";
import { BLOCKS, type Data, type ShownData, shownData } from "./shown-data.ts";

/** Words that are ours alone: data cannot know them, and a draft that has one gives our prompt away. */
export interface Marks {
  /** Names the fences. */
  nonce: string;
  canary: string;
}

export interface BuiltPrompt {
  messages: readonly ChatMessage[];
  marks: Marks;
  shown: ShownData;
  /** The data as it was shown, for claims to be looked up in. */
  sources: GivenSource[];
}

/**
 * The two messages a draft is asked for with. The system message is the same for all leads of a step, and so is the user
 * message up to the first word that a lead decides, which endpoints cache; nonce and canary come from the workspace and the step, so the same
 * request is the same text again. Data is JSON whose angle brackets are escaped: no text can close the fence it is in.
 */
export async function buildPrompt(
  workspaceId: string,
  request: DraftRequest,
  shown: ShownData = shownData(request),
): Promise<BuiltPrompt> {
  const marks = await marksOf(workspaceId, request);
  return {
    marks,
    shown,
    sources: sourcesOf(request, shown),
    messages: [
      { role: "system", content: systemMessage(request, marks) },
      { role: "user", content: userMessage(request, shown.data, marks) },
    ],
  };
}

async function marksOf(workspaceId: string, request: DraftRequest): Promise<Marks> {
  const { prompt, sender } = request;
  const template = request.templateSource ?? request.template;
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

/** Stands in a source behind what is left of a text, for the person who looks a fact up. */
const LEFT_OUT = "[Left out here, because it may order what is written.]";

/** What was shown, as a person would look it up: facts a line each, research by its source, and the instructions. */
function sourcesOf({ prompt }: DraftRequest, { data, leftOut }: ShownData): GivenSource[] {
  const cut = new Set(leftOut.map(({ from }) => from));
  const marked = (name: string, text = "") => (cut.has(name) ? `${text} ${LEFT_OUT}`.trim() : text);
  const lines = (facts: Facts) =>
    Object.entries(facts)
      .map(([key, value]) => `${key}: ${value}`)
      .join("\n");
  const named = (of: "lead" | "research", from: ReadonlySet<string>) =>
    Object.fromEntries([...from].map((name) => [name, marked(name, data[of][name])]));
  const namesOf = (of: "lead" | "research") =>
    new Set([
      ...Object.keys(data[of]),
      ...leftOut.filter((each) => each.of === of).map(({ from }) => from),
    ]);
  const research = Object.entries(named("research", namesOf("research")));
  const given: GivenSource[] = [
    { name: "lead_data", text: lines(named("lead", namesOf("lead"))) },
    ...research.map(([name, text]) => ({ name, text }) as GivenSource),
    { name: "sender", text: lines(data.sender) },
    { name: "template", text: lines(data.template) },
    { name: "prompt", text: prompt.text },
  ];
  return given.filter(({ text }) => text !== "");
}
