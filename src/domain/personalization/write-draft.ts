import type { ChatAnswer, ChatMessage, ChatModel, ModelUsage } from "#src/providers/model/index.ts";
import { askModel, type ModelDeps } from "./ask-model.ts";
import { buildPrompt, type BuiltPrompt } from "./build-prompt.ts";
import { faultsOf, inWords } from "./check-draft.ts";
import { type Given, givenOf, type Written } from "./checks/check.ts";
import { claimsOf } from "./claims.ts";
import { cleanText } from "./clean-text.ts";
import type { Commonality, Draft, DraftRequest, DraftResult, DraftUsage } from "./draft.ts";
import { foldMarks, wordsOf } from "./fold.ts";
import { ANSWER_SCHEMA, type Answer, readAnswer } from "./output.ts";

type Failed = Extract<DraftResult, { ok: false }>;
type Reading =
  | { kind: "draft"; answer: Answer; written: Written }
  /** What it did wrong, in our words; it may try once more. */
  | { kind: "faulty"; faults: string[] }
  | { kind: "over"; failure: Omit<Failed, "usage"> };

/**
 * One draft for one lead, from the model's answer that passed every check; of a first answer that does not, the model is told
 * what is wrong with it, and asked once more. Never throws for what the model does.
 */
export async function writeDraft(
  deps: ModelDeps,
  workspaceId: string,
  request: DraftRequest,
  signal: AbortSignal,
): Promise<DraftResult> {
  const startedMs = deps.clock.now().getTime();
  const prompt = await buildPrompt(workspaceId, request);
  const given = givenOf(request, prompt.marks);
  const usage: DraftUsage = { calls: 0, prompt_tokens: 0, completion_tokens: 0, cost_micros: null };
  let faults: string[] = [];
  for (let attempt = 1; attempt <= 2; attempt++) {
    const asked = { ...parametersOf(deps.model), schema: ANSWER_SCHEMA };
    const messages = withFaults(prompt.messages, faults);
    const answer = await askModel(deps, workspaceId, { ...asked, messages }, signal);
    countCall(usage, answer);
    const reading = readAttempt(answer, given);
    if (reading.kind === "over") return { ...reading.failure, usage };
    if (reading.kind === "draft" && answer.kind === "answered") {
      const latencyMs = deps.clock.now().getTime() - startedMs;
      const draft = draftOf(reading, prompt);
      return { ok: true, draft: { ...draft, model: answer.model, latencyMs, usage } };
    }
    if (reading.kind === "faulty") faults = reading.faults;
  }
  return { ok: false, blame: "text", reason: faults.join(" "), usage };
}

const parametersOf = (model: ChatModel | null) =>
  model?.parameters ?? { temperature: null, maxTokens: 0 };

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

const AWAY: Record<Extract<ChatAnswer, { kind: "failed" }>["reason"], string> = {
  unavailable: "The model cannot be reached.",
  timeout: "The model took too long.",
  rate_limited: "The model's limit of calls is reached.",
  refused: "The model does not accept our requests.",
  unreadable: "The model's endpoint answers something else than completions.",
};

function readAttempt(answer: ChatAnswer, given: Given): Reading {
  if (answer.kind === "failed") {
    const { reason, retryAfterSeconds } = answer;
    const failure = { ok: false, blame: "model", reason: AWAY[reason] } as const;
    const more = {
      ...(reason === "timeout" ? { timedOut: true } : {}),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    };
    return { kind: "over", failure: { ...failure, ...more } };
  }
  if (answer.ended === "refused") {
    const reason = "The model would not write this text.";
    return { kind: "over", failure: { ok: false, blame: "text", reason } };
  }
  const read = answer.ended === "truncated" ? null : readAnswer(answer.text);
  if (read === null)
    return { kind: "faulty", faults: [answer.ended === "truncated" ? TOO_LONG : NO_DRAFT] };
  const written = writtenOf(read, given.request);
  const faults = faultsOf(written, given);
  if (faults.length > 0) return { kind: "faulty", faults: faults.map(inWords) };
  return { kind: "draft", answer: read, written };
}

const TOO_LONG = "The answer is too long and broke off.";
const NO_DRAFT = "The answer is not the JSON object that was asked for.";

const writtenOf = ({ subject, body }: Answer, { continuesThread }: DraftRequest): Written => ({
  subject: continuesThread ? "" : subject.trim(),
  body: body.replaceAll("\r\n", "\n").trim(),
});

function draftOf(
  { answer, written }: Extract<Reading, { kind: "draft" }>,
  { sources }: BuiltPrompt,
): Omit<Draft, "model" | "latencyMs" | "usage"> {
  const commonality = supported(answer.commonality, sources);
  return { ...written, commonality, claims: claimsOf(written.body, sources), sources };
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
