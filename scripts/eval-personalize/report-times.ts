import { buildPrompt } from "#src/domain/research/personalization/build-prompt.ts";
import { faultsOf } from "#src/domain/research/personalization/check-draft.ts";
import { givenOf } from "#src/domain/research/personalization/checks/check.ts";
import { claimsOf } from "#src/domain/research/personalization/claims.ts";
import type { DraftRequest } from "#src/domain/research/personalization/draft.ts";
import { type EvalLead, requestOf } from "./leads.ts";

const ROUNDS = 1_000;
/** Leads of a block: the clock of CPU time, in which other work on the machine does not count, is no finer. */
const BLOCK = 50;
const MOST_MS = 2;
const PARAGRAPH =
  "Our workshop in Graz has built pumps since 1987, and 64 people work there on three lines. We answer every call within 90 seconds. ";

/** A page as the research keeps it, of so many characters. */
const page = (length: number): string =>
  PARAGRAPH.repeat(Math.ceil(length / PARAGRAPH.length)).slice(0, length);

/** CPU time of prompt, checks and claims of a lead. True when that is less than 2 ms. */
export async function reportTimes(leads: readonly EvalLead[]): Promise<boolean> {
  const plain = leads.map((lead) => requestOf(lead));
  const median = await medianMs(plain);
  const long = plain.map((request, at) => withPage(request, page(10_000 + at)));
  const full = await medianMs(long.slice(0, 10));
  console.log(
    `\nPrompt, checks and claims: ${median.toFixed(2)} ms a lead (CPU time, median over ${ROUNDS}; at most ${MOST_MS}); with a page of 10,000 characters ${full.toFixed(2)} ms`,
  );
  return median < MOST_MS;
}

const withPage = (request: DraftRequest, summary: string): DraftRequest => ({
  ...request,
  research: {
    ...request.research,
    sources: [{ name: "website", status: "ok", summary, meta: {}, from_cache: false }],
  },
});

async function medianMs(requests: readonly DraftRequest[]): Promise<number> {
  const times: number[] = [];
  for (let block = 0; block < ROUNDS / BLOCK; block++) {
    const before = process.cpuUsage();
    for (let at = 0; at < BLOCK; at++)
      await prepareAndCheck(requests[(block * BLOCK + at) % requests.length]!);
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1_000 / BLOCK);
  }
  return times.toSorted((a, b) => a - b)[times.length / 2]!;
}

async function prepareAndCheck(request: DraftRequest): Promise<void> {
  const prompt = await buildPrompt("workspace", request);
  const name = request.sender["full_name"] ?? "";
  const body = `Hello,\n\n${PARAGRAPH.repeat(4)}\n\nIs this a question for you?\n\nBest regards\n${name}`;
  faultsOf({ subject: "A question", body }, givenOf(request, prompt.marks, prompt.shown));
  claimsOf(body, prompt.sources);
}
