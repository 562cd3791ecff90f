import {
  askPerson,
  mintToken,
  type Question,
  type Shown,
  takeToken,
  type Verdict,
} from "#src/domain/access/confirmations.ts";
import { Refusal } from "./api.ts";
import { fence } from "./fence.ts";
import type { Answer, Asker } from "./tool.ts";

/** What a tool would do, for a person to confirm. */
export interface Proposal extends Question {
  title: string;
  preview: Answer;
  /** Of a single message: its recipient, as addresses are compared. */
  emailKey?: string;
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
  act: (nonce: string) => Promise<Answer>,
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
  act: (nonce: string) => Promise<Answer>,
): Promise<Answer> {
  switch (verdict.kind) {
    case "confirmed":
      return act(verdict.nonce);
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
          "The token is spent, too old, or was made for something else, or what it confirms has changed. Nothing was sent; below is what would be now.",
        ...again,
      });
    }
  }
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
