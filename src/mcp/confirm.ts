import {
  askPerson,
  mintToken,
  type Question,
  type Shown,
  takeToken,
  type Verdict,
} from "#src/domain/access/confirmations.ts";
import { answerOf, findKey } from "#src/domain/access/idempotency.ts";
import { sha256Hex } from "#src/platform/encoding.ts";
import { readJson } from "#src/platform/json.ts";
import { Refusal, refusalOf, type Reply } from "./api.ts";
import { fence } from "./fence.ts";
import type { Answer, Asker } from "./tool.ts";

/** What a tool would do, for a person to confirm. */
export interface Proposal extends Question {
  title: string;
  preview: Answer;
  /** Of a single message: its recipient, as addresses are compared. */
  emailKey?: string;
}

/** The operation that does what was confirmed. */
export interface Act {
  path: string;
  body?: Answer;
  /** What the agent is told of its answer; all of it where this is left out. */
  tell?: (answer: Reply["body"]) => Answer;
}

/** The person's answer to a question that their client showed them. */
export interface Elicited {
  token: string;
  action: "accept" | "decline" | "cancel";
}

/** Thrown for a client that can ask its person by itself (elicitation): what to ask. */
export class AskFirst extends Error {
  readonly token: string;
  constructor(message: string, token: string) {
    super(message);
    this.token = token;
  }
}

/**
 * Does what was confirmed, and asks for the confirmation otherwise. First the client's own person is asked where the
 * client can; else the agent gets a preview with a token: it is good for a second call of the agent itself, or, of keys
 * whose sending a person confirms, once one has approved it in the console.
 */
export async function confirmed(
  asker: Asker,
  proposal: Proposal,
  given: string | undefined,
  act: Act,
): Promise<Answer> {
  const { deps, elicited } = asker;
  const principal = asker.principal!;
  if (elicited !== undefined) {
    if (elicited.action !== "accept") throw new Refusal(DECLINED);
    const verdict = await takeToken(deps, principal, proposal, elicited.token, { byPerson: false });
    return settle(asker, proposal, verdict, act);
  }
  if (given === undefined) return ask(asker, proposal);
  const byPerson = principal.confirm === "human";
  const verdict = await takeToken(deps, principal, proposal, given, { byPerson });
  return settle(asker, proposal, verdict, act);
}

const DECLINED = {
  code: "CONFIRMATION_DECLINED",
  message: "A person declined this. Do not ask again unless they tell you to.",
};

async function settle(
  asker: Asker,
  proposal: Proposal,
  verdict: Verdict,
  { path, body, tell = (answer) => answer }: Act,
): Promise<Answer> {
  switch (verdict.kind) {
    case "confirmed":
      return tell(await asker.api.post(path, body, { "idempotency-key": verdict.nonce }));
    case "used":
      return tell(await toldBefore(asker, verdict.nonce));
    case "waits":
      throw new Refusal({
        code: "CONFIRMATION_WAITS",
        message: "No person has answered yet: let them look at the console's confirmations.",
      });
    case "declined":
      throw new Refusal(DECLINED);
    case "no_good": {
      const again = await ask(asker, proposal);
      throw new Refusal({
        code: "CONFIRM_TOKEN_INVALID",
        message:
          "The token is too old, or was made for something else, or what it confirms has changed. Nothing was sent; below is what would be now.",
        ...again,
      });
    }
  }
}

/** What the call that used the confirmation was answered: its own plan is gone, so it cannot be sent again to be told. */
async function toldBefore({ deps, principal }: Asker, nonce: string): Promise<Reply["body"]> {
  const { workspaceId } = principal!;
  const used = await findKey(deps, { workspaceId, keyHash: await sha256Hex(nonce) });
  if (used === undefined)
    throw new Refusal({
      code: "CONFIRMATION_USED",
      message:
        "This confirmation was used by a call before, and what came of it is not kept. Look whether it was done (get, read_conversation); only if it was not, ask anew without confirm_token.",
    });
  const kept = answerOf(used, used.fingerprint, deps.clock.now());
  const reply = { ...kept, headers: new Headers(kept.headers), body: readJson(kept.body) };
  if (reply.status >= 400) throw refusalOf(reply);
  return reply.body;
}

async function ask(asker: Asker, proposal: Proposal): Promise<Answer> {
  const { deps, canElicit } = asker;
  const principal = asker.principal!;
  const words = spoken(proposal);
  // What a person would not see whole they cannot agree to.
  if (canElicit && words.length <= LONGEST_QUESTION) {
    const { token } = await mintToken(deps, principal, proposal);
    throw new AskFirst(words, token);
  }
  const { tool, args, plan, title, preview, emailKey = null } = proposal;
  const question = { tool, args, plan };
  const byPerson = principal.confirm === "human";
  const { token, expiresAt } = byPerson
    ? await askPerson(deps, principal, question, {
        title,
        preview: fence(preview) as Shown["preview"],
        emailKey,
      })
    : await mintToken(deps, principal, question);
  return {
    status: "not_sent",
    preview,
    confirm_token: token,
    expires_at: expiresAt.toISOString(),
    next: byPerson
      ? "A person has to approve this in the console (Confirmations). Then call again with the same arguments and confirm_token."
      : "Show the preview to your person. If they agree, call again with the same arguments and confirm_token.",
  };
}

/** Characters that a client shows in a dialog. */
const LONGEST_QUESTION = 4_000;

/** The question in the words that a client shows its person: title and the preview's plain values. */
function spoken({ title, preview }: Proposal): string {
  const lines = Object.entries(preview).flatMap(([name, value]) =>
    typeof value === "string" || typeof value === "number" ? [`${name}: ${value}`] : [],
  );
  return [`${title}?`, ...lines].join("\n");
}
