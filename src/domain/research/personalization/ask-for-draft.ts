import type {
  ChatAnswer,
  ChatMessage,
  ChatRequest,
  ModelUsage,
} from "#src/providers/model/index.ts";
import { buildPrompt, type BuiltPrompt } from "./build-prompt.ts";
import { givenOf } from "./checks/check.ts";
import { claimsOf } from "./claims.ts";
import { cleanText } from "./clean-text.ts";
import type { Commonality, Draft, DraftRequest, DraftResult, DraftUsage } from "./draft.ts";
import { foldMarks, wordsOf } from "./normalize-text.ts";
import { ANSWER_SCHEMA } from "./output.ts";
import { readAttempt, type ReadDraft } from "./read-attempt.ts";

/** The model that a draft is asked of, with its clock. */
export interface Asker {
  ask(chat: Pick<ChatRequest, "messages" | "schema">): Promise<ChatAnswer>;
  nowMs(): number;
}

/**
 * A draft from an answer that passed every check; of a first answer that does not, the model is told what is wrong with it,
 * and asked once more.
 */
export async function askForDraft(
  { ask, nowMs }: Asker,
  workspaceId: string,
  request: DraftRequest,
): Promise<DraftResult> {
  const startedMs = nowMs();
  const prompt = await buildPrompt(workspaceId, request);
  const given = givenOf(request, prompt.marks, prompt.shown);
  const usage: DraftUsage = { calls: 0, prompt_tokens: 0, completion_tokens: 0, cost_micros: null };
  const spent = () => ({ latencyMs: nowMs() - startedMs, usage });
  let faults: readonly string[] = [];
  let reason = "";
  let held: ReadDraft | null = null;
  for (let attempt = 1; attempt <= 2; attempt++) {
    const messages = withFaults(prompt.messages, faults);
    const answer = await ask({ messages, schema: ANSWER_SCHEMA });
    countCall(usage, answer);
    const reading = readAttempt(answer, given);
    if (reading.kind === "over") return { ...reading.failure, usage };
    if (reading.kind === "draft") return { ok: true, draft: draftOf(reading, prompt, spent()) };
    ({ faults, reason, held } = reading);
  }
  const failed = { ok: false, blame: "text", reason, usage } as const;
  return held === null ? failed : { ...failed, held: draftOf(held, prompt, spent()) };
}

/** What was written is not shown again: it may hold what an attacker wanted said. */
function withFaults(messages: readonly ChatMessage[], faults: readonly string[]): ChatMessage[] {
  if (faults.length === 0) return [...messages];
  const said = `

A first answer was not accepted:
${faults.map((fault) => `- ${fault}`).join("\n")}
Write the email anew, from the same data and by the same rules, without these faults.`;
  const last = messages.length - 1;
  return messages.map((each, at) =>
    at === last ? { ...each, content: each.content + said } : each,
  );
}

function countCall(usage: DraftUsage, answer: ChatAnswer): void {
  usage.calls += 1;
  if (answer.kind === "failed") return;
  const { promptTokens, completionTokens, costMicros }: ModelUsage = answer.usage;
  usage.prompt_tokens += promptTokens;
  usage.completion_tokens += completionTokens;
  if (costMicros !== null) usage.cost_micros = (usage.cost_micros ?? 0) + costMicros;
}

function draftOf(
  { answer, written, model }: ReadDraft,
  { sources }: BuiltPrompt,
  spent: Pick<Draft, "latencyMs" | "usage">,
): Draft {
  const commonality = supported(answer.commonality, sources);
  const claims = claimsOf(written.body, sources);
  return { ...written, model, commonality, claims, sources, ...spent };
}

/** Evidence that stands nowhere in what was given is none. */
function supported(commonality: Commonality, sources: BuiltPrompt["sources"]): Commonality {
  const plain = (text: string) => ` ${wordsOf(foldMarks(text)).join(" ")} `;
  const texts = sources.map(({ text }) => plain(text));
  const isGiven = (evidence: string) =>
    evidence.trim() !== "" && texts.some((text) => text.includes(plain(evidence)));
  return {
    ...commonality,
    text: cleanText(commonality.text),
    supporting_evidence: commonality.supporting_evidence.filter(isGiven).map(cleanText),
  };
}
