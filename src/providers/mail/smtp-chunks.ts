import type { SendResult, SendStage } from "./index.ts";
import type { PreparedMessage } from "./smtp-envelope.ts";
import {
  abandon,
  acceptedBy,
  BLOCK_BYTES,
  LAST_WORDS_MS,
  readReply,
  reasonOf,
  type SmtpLine,
  writeMessage,
} from "./smtp-line.ts";
import { isPositive, replyText, type SmtpReply } from "./smtp-replies.ts";
import { connectionLost, refusal } from "./smtp-verdict.ts";
import { SmtpOutOfTurnError } from "./smtp-wire.ts";

/** A command whose reply is awaited, and the step that a refusal of it belongs to. */
interface Command {
  text: string;
  stage: SendStage;
  /** Never refused by a server that is in step: RFC 5321 section 4.1.1.5. */
  isReset?: true;
}

/** A message that is wholly on its way, and the replies that are due before that to its BDAT. */
interface Flight {
  id: string;
  commands: readonly Command[];
  /** Set when writing it failed: what became of it, unless the server says better. */
  failed: SendResult | null;
}

/** A larger body waits for its envelope's replies: it costs more to send in vain than a round trip. */
const WHOLE_BYTES = BLOCK_BYTES;

/**
 * BDAT (RFC 3030): bytes as they are, no 354 to wait for. With PIPELINING envelope and body leave
 * together, one round trip a message, and up to `window` messages are unanswered. A loss then leaves
 * the message in doubt from the first byte on, so the first message after a pause asks by MAIL
 * whether the server is still there.
 */
export async function sendByChunks(
  line: SmtpLine,
  window: number,
  messages: readonly PreparedMessage[],
  onResult: (id: string, result: SendResult) => void,
): Promise<void> {
  const inFlight: Flight[] = [];
  let next = 0;
  while (next < messages.length || inFlight.length > 0) {
    while (line.usable && next < messages.length && inFlight.length < window) {
      const message = messages[next]!;
      const alone = inFlight.length === 0;
      const plan = planOf(line, message, alone);
      if (plan.first.length > 0 && !alone) break;
      next++;
      const flight = await launch(line, message, plan);
      if ("state" in flight) onResult(message.id, flight);
      else inFlight.push(flight);
    }
    const flight = inFlight.shift();
    if (flight) onResult(flight.id, await land(line, flight, inFlight.length === 0));
    else if (!line.usable)
      for (; next < messages.length; next++)
        onResult(
          messages[next]!.id,
          connectionLost("the connection was lost before this message", "mail"),
        );
  }
}

interface Plan {
  /** Groups of commands whose replies are awaited before the next group is sent. */
  first: readonly (readonly Command[])[];
  /** Commands that are written together with BDAT and the body. */
  withBody: readonly Command[];
}

function planOf(line: SmtpLine, message: PreparedMessage, alone: boolean): Plan {
  // Behind a message that may yet be refused, only RSET makes sure that a transaction can begin.
  const needsReset = line.resetFirst || !alone;
  const reset: Command[] = needsReset ? [{ text: "RSET\r\n", stage: "mail", isReset: true }] : [];
  const mail: Command = { text: message.mail, stage: "mail" };
  const rcpt: Command = { text: message.rcpt, stage: "rcpt" };
  const envelope = [...reset, mail, rcpt];
  if (!line.pipelining) return { first: envelope.map((command) => [command]), withBody: [] };
  const isThere = !alone || (line.warm && !line.wire.isDisturbed());
  if (message.raw.length > WHOLE_BYTES)
    return { first: isThere ? [envelope] : [[...reset, mail], [rcpt]], withBody: [] };
  return isThere
    ? { first: [], withBody: envelope }
    : { first: [[...reset, mail]], withBody: [rcpt] };
}

/** Puts a message on its way; a result when it ended before its body was begun. */
async function launch(
  line: SmtpLine,
  message: PreparedMessage,
  { first, withBody }: Plan,
): Promise<Flight | SendResult> {
  line.resetFirst = false;
  for (const group of first) {
    const refused = await exchange(line, group);
    if (refused) return refused;
  }
  if (first.length > 0 && line.wire.pendingBytes() > 0) {
    line.refusesChunks = true;
    await abandon(line);
    return connectionLost(new SmtpOutOfTurnError().message, "mail");
  }
  const before = `${textOf(withBody)}BDAT ${message.raw.length} LAST\r\n`;
  line.wire.listen();
  const failed = await writeMessage(line, message.raw, { before });
  if (failed) line.usable = false;
  return { id: message.id, commands: withBody, failed };
}

/** One write, and every reply to it. Null when all was granted. */
async function exchange(line: SmtpLine, group: readonly Command[]): Promise<SendResult | null> {
  let stage: SendStage = "mail";
  let refused: SendResult | null = null;
  try {
    await line.wire.ask(textOf(group), line.timeouts.command);
    for (const command of group) {
      stage = command.stage;
      const answer = await granted(line, command, line.timeouts.command);
      refused ??= answer;
      if (!line.usable) break;
    }
  } catch (error) {
    // Nor is it seen to swallow chunks; by DATA its 354 shows that it is in step.
    if (error instanceof SmtpOutOfTurnError) line.refusesChunks = true;
    await abandon(line);
    return refused ?? connectionLost(reasonOf(error), stage);
  }
  if (!line.usable) await abandon(line);
  if (refused) line.resetFirst = true;
  return refused;
}

/** Reads the replies to a message on its way, in order; the first refusal is its result. */
async function land(
  line: SmtpLine,
  { commands, failed }: Flight,
  isLast: boolean,
): Promise<SendResult> {
  const { timeouts } = line;
  const bound = (ms: number) => (failed ? Math.min(ms, LAST_WORDS_MS) : ms);
  let refused: SendResult | null = null;
  try {
    for (const command of commands) {
      const answer = await granted(line, command, bound(timeouts.command));
      refused ??= answer;
      // With 421 the server closes: no reply follows, and the message was not accepted.
      if (answer?.state === "deferred" && answer.code === 421) break;
    }
    const reply = refused && !line.usable ? null : await readReply(line, bound(timeouts.final));
    if (reply && isUnknownCommand(reply)) {
      // What it did not swallow it reads as commands.
      line.refusesChunks = true;
      line.usable = false;
      refused ??= connectionLost(`the server does not know BDAT: ${replyText(reply)}`, "mail");
    } else if (reply && reply.code >= 400) refused ??= refusal(reply, "final");
    else if (reply && !isPositive(reply))
      throw new Error(`unexpected reply after the message: ${replyText(reply)}`);
    else if (reply && !refused) return await acceptedBy(line, reply, isLast);
  } catch (error) {
    await abandon(line);
    return refused ?? failed ?? { state: "unknown", reason: reasonOf(error) };
  }
  if (!line.usable) await abandon(line);
  line.resetFirst = true;
  return refused ?? { state: "unknown", reason: "the server left without an answer" };
}

/** Null when the command was granted. */
async function granted(line: SmtpLine, command: Command, ms: number): Promise<SendResult | null> {
  const reply = await readReply(line, ms);
  if (isPositive(reply)) return null;
  if (command.isReset && reply.code !== 421) {
    // It did not swallow the chunk of a refused message, and answers its lines as commands.
    line.refusesChunks = true;
    throw new Error(`the server is out of step: ${replyText(reply)}`);
  }
  if (reply.code >= 400) return refusal(reply, command.stage);
  throw new Error(`unexpected reply: ${replyText(reply)}`);
}

const isUnknownCommand = ({ code }: SmtpReply): boolean => code === 500 || code === 502;
const textOf = (commands: readonly Command[]): string => commands.map(({ text }) => text).join("");
