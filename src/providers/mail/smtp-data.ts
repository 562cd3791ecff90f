import type { SendResult, SendStage } from "./index.ts";
import { dotStuffed, type PreparedMessage } from "./smtp-envelope.ts";
import {
  abandon,
  LAST_WORDS_MS,
  readOutcome,
  readReply,
  reasonOf,
  type SmtpLine,
  writeMessage,
} from "./smtp-line.ts";
import { isPositive, replyText } from "./smtp-replies.ts";
import { connectionLost, refusal } from "./smtp-verdict.ts";
import { SmtpOutOfTurnError } from "./smtp-wire.ts";

/** DATA (RFC 5321). With PIPELINING the next envelope rides with the previous body: one round trip each. */
export async function sendByData(
  line: SmtpLine,
  messages: readonly PreparedMessage[],
  onResult: (id: string, result: SendResult) => void,
): Promise<void> {
  let envelope: string[] | null = null;
  for (const [index, message] of messages.entries()) {
    if (!line.usable) {
      onResult(message.id, connectionLost("the connection was lost before this message", "mail"));
      continue;
    }
    const commands = envelope ?? envelopeOf(line, message);
    const refused = await sendEnvelope(line, commands, envelope !== null);
    envelope = null;
    if (refused) {
      onResult(message.id, refused);
      continue;
    }
    const next = messages[index + 1];
    if (next && line.pipelining) envelope = envelopeOf(line, next);
    onResult(message.id, await sendBody(line, message.raw, envelope?.join("") ?? ""));
  }
}

const RESET = "RSET\r\n";

function envelopeOf(line: SmtpLine, message: PreparedMessage): string[] {
  const reset = line.resetFirst ? [RESET] : [];
  line.resetFirst = false;
  return [...reset, message.mail, message.rcpt, "DATA\r\n"];
}

/**
 * RSET, MAIL, RCPT, DATA; in one write where the server allows it, or already written behind the
 * previous body. Null means 354: the server waits for the body.
 */
async function sendEnvelope(
  line: SmtpLine,
  commands: readonly string[],
  alreadySent: boolean,
): Promise<SendResult | null> {
  const { wire, timeouts, pipelining } = line;
  let stage: SendStage = "mail";
  let refused: SendResult | null = null;
  try {
    if (pipelining && !alreadySent) await wire.ask(commands.join(""), timeouts.command);
    for (const command of commands) {
      stage = stageOf(command);
      if (!pipelining) await wire.ask(command, timeouts.command);
      const reply = await readReply(line, stage === "data" ? timeouts.dataStart : timeouts.command);
      if (stage === "data" && reply.code === 354) {
        if (!refused) return null;
        // RFC 2920 section 3.1: DATA was accepted without a recipient; a lone dot ends the empty message.
        await wire.write(".\r\n", timeouts.dataBlock);
        await readReply(line, timeouts.final);
      } else if (command === RESET && reply.code !== 421 && !isPositive(reply)) {
        // Never refused (RFC 5321 section 4.1.1.5): it is the answer to something before.
        throw new Error(`the server is out of step: ${replyText(reply)}`);
      } else if (reply.code >= 400) {
        refused ??= refusal(reply, stage);
      } else if (stage === "data" || !isPositive(reply)) {
        throw new Error(`unexpected reply: ${replyText(reply)}`);
      }
      // Without pipelining no further command was sent, and none need be.
      if (!line.usable || (refused && !pipelining)) break;
    }
  } catch (error) {
    await abandon(line);
    return refused ?? connectionLost(reasonOf(error), stage);
  }
  if (!line.usable) await abandon(line);
  line.resetFirst = true;
  return refused ?? connectionLost("the server ended the session", stage);
}

/** The body with its final dot, and what rides behind it. */
async function sendBody(line: SmtpLine, raw: Uint8Array, tail: string): Promise<SendResult> {
  const { wire, timeouts } = line;
  if (wire.pendingBytes() > 0) {
    // No byte of the message was sent yet: a refusal is early, and any other reply belongs to an earlier command.
    const early = await wire.readReply(0).catch(() => null);
    await abandon(line);
    if (early && early.code >= 400) return refusal(early, "final");
    return connectionLost(new SmtpOutOfTurnError().message, "data");
  }
  const failed = await writeMessage(line, dotStuffed(raw), { behind: tail });
  if (failed === null) return readOutcome(line, tail === "");
  const words = await wire.readReply(Math.min(LAST_WORDS_MS, timeouts.final)).catch(() => null);
  await abandon(line);
  return words && words.code >= 400 ? refusal(words, "final") : failed;
}

function stageOf(command: string): SendStage {
  if (command.startsWith("RCPT")) return "rcpt";
  return command.startsWith("DATA") ? "data" : "mail";
}
