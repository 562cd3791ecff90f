import { claimReturnTest, withdrawReturnTest } from "#db/senders/return-test.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { RETURN_TEST_HEADER, RETURN_TEST_ID } from "#src/domain/replies/inbound/return-test.ts";
import { readSoon } from "#src/domain/replies/inbound/inbox/queue.ts";
import { testAlias } from "#src/domain/senders/alias-account.ts";
import { requireAlias } from "#src/domain/senders/aliases.ts";
import {
  type RepliesReturn,
  repliesReturn,
  replyAddressOf,
  RETURN_TEST_GAP_MS,
} from "#src/domain/senders/replies-return.ts";
import { createReturnTestTokens, type ReturnTest } from "#src/domain/senders/return-test-token.ts";
import { describeError } from "#src/platform/log.ts";
import type { SendResult } from "#src/providers/mail/index.ts";
import { literalMessage } from "./compose.ts";
import { findSender } from "./find-sender.ts";
import { createHandOver, type Letter, type Sender } from "./deliver.ts";

export interface AliasTest extends Awaited<ReturnType<typeof testAlias>> {
  repliesReturn: RepliesReturn;
  /** The address that the test mail went to; null when none went out. */
  tokenMailedTo: string | null;
}

/** Tests an alias's account, and where that is ready, mails a token to where its replies go. Waits for no return. */
export async function testAliasAndReplies(
  deps: Deps,
  principal: Principal,
  id: string,
): Promise<AliasTest> {
  const report = await testAlias(deps, principal, id);
  if (report.inbox?.ok === true) await readSoon(deps, id);
  const tokenMailedTo = report.ok ? await askForReturn(deps, principal, id) : null;
  const alias = await requireAlias(deps, principal, id);
  return { ...report, tokenMailedTo, repliesReturn: repliesReturn(alias, deps.clock.now()) };
}

async function askForReturn(
  deps: Deps,
  { workspaceId }: Principal,
  aliasId: string,
): Promise<string | null> {
  const sender = await findSender(deps.db, { workspaceId, aliasId });
  if (sender === undefined) return null;
  const now = deps.clock.now();
  const test = { aliasId, askedAt: new Date(now.getTime() - (now.getTime() % 1000)) };
  const address = replyAddressOf(sender.alias);
  const notSince = new Date(now.getTime() - RETURN_TEST_GAP_MS);
  const order = { address, askedAt: test.askedAt, notSince };
  if (!(await claimReturnTest(deps.db, { workspaceId, id: aliasId }, order))) return null;
  const result = await mailToken(deps, sender, test, address);
  if (hasLeft(result)) return address;
  await withdrawReturnTest(deps.db, test);
  deps.log.error("return_test_not_sent", { alias_id: aliasId, outcome: result?.state ?? "error" });
  return null;
}

/** A refusal of the address proves that no reply will get through either. */
const hasLeft = (result: SendResult | null): boolean =>
  result !== null &&
  (result.state === "accepted" ||
    result.state === "unknown" ||
    (result.state === "rejected" && result.scope === "recipient"));

/** Null when the mail could not be written. */
async function mailToken(
  deps: Deps,
  sender: Sender,
  test: ReturnTest,
  to: string,
): Promise<SendResult | null> {
  const token = await createReturnTestTokens(deps.settings.trackingSecrets).sign(test);
  const handOver = createHandOver(deps);
  try {
    const letter = tokenLetter(sender, token, { to, sendId: deps.ids.uuid(), date: test.askedAt });
    return await handOver.perform(await handOver.prepare(sender, letter));
  } catch (error) {
    deps.log.error("return_test_not_written", describeError(error));
    return null;
  } finally {
    await handOver.close();
  }
}

/** The token stands three times in it: forwarding keeps now this, now that. */
function tokenLetter(
  { alias }: Sender,
  token: string,
  where: Pick<Letter, "to" | "sendId" | "date">,
): Letter {
  const body = `This checks that replies to ${alias.email} reach Overture. You can delete it.

Mail from ${alias.email} is answered to ${where.to}. When this message has come back to Overture from there, by forwarding or because Overture reads the mailbox, replies will as well.`;
  return {
    ...literalMessage({
      subject: `Do replies reach Overture? [${token}]`,
      body,
      format: "text",
    }),
    ...where,
    messageId: `${RETURN_TEST_ID}${token}@${alias.email.split("@")[1]}`,
    headers: [
      [RETURN_TEST_HEADER, [token]],
      // Automatic responders must not answer it (RFC 3834).
      ["Auto-Submitted", ["auto-generated"]],
    ],
    tracking: { opens: false, clicks: false, patterns: [] },
    feedbackId: null,
  };
}
