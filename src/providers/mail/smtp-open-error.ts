import type { AccountStage } from "./index.ts";
import { isPermanent, replyText, type SmtpReply } from "./smtp-replies.ts";

/** The account could not be opened. `message` is in plain words and names host and port, never a secret. */
export class SmtpOpenError extends Error {
  override readonly name = "SmtpOpenError";
  readonly stage: AccountStage;
  readonly permanent: boolean;
  readonly code: number | undefined;
  readonly reply: string | undefined;

  constructor(stage: AccountStage, message: string, permanent: boolean, reply?: SmtpReply) {
    super(message);
    this.stage = stage;
    this.permanent = permanent;
    this.code = reply?.code;
    this.reply = reply && replyText(reply);
  }
}

export function refusedToOpen(
  stage: AccountStage,
  message: string,
  reply: SmtpReply,
): SmtpOpenError {
  return new SmtpOpenError(
    stage,
    `${message}: ${replyText(reply, 300)}`,
    isPermanent(reply),
    reply,
  );
}
