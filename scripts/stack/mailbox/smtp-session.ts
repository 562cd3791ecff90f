import { createSmtpAuth, type SmtpAuthOptions } from "./smtp-auth.ts";
import type { MagicRecipients } from "./smtp-faults.ts";
import { lineProblem, type SmtpInput, type SmtpInputEvent } from "./smtp-input.ts";
import { ehloReply, MESSAGE_SIZE_LIMIT, replies, type ReplyName } from "./smtp-replies.ts";
import * as syntax from "./smtp-syntax.ts";

const MAX_RECIPIENTS = 1000;

export interface Envelope {
  from: string;
  to: string[];
}

export interface SmtpSessionOptions extends SmtpAuthOptions {
  tlsAvailable: boolean;
  magic: MagicRecipients;
  /** Takes a message for good. `reply` is what the client is told, null when it is told nothing. */
  deliver(message: { envelope: Envelope; raw: Buffer; reply: string | null }): void;
}

/** What a session can do to the connection that it belongs to. */
export interface SmtpChannel {
  input: SmtpInput;
  send(reply: string): void;
  /** Goes over to TLS once what was sent has left. */
  upgrade(): void;
  /** Closes once what was sent has left. */
  close(): void;
  /** Stays open, and never reads or answers again. */
  hang(): void;
  /** Closes as soon as further bytes arrive. */
  closeOnInput(): void;
}

interface Transaction extends Envelope {
  utf8: boolean;
  /** Chunks of BDAT so far; null until the first one. */
  chunks: Buffer[] | null;
  size: number;
}

/** The states and replies of one SMTP connection (RFC 5321, with 1870, 2920, 3030, 3207, 4954, 6152, 6531). */
export function createSmtpSession(options: SmtpSessionOptions, channel: SmtpChannel) {
  let secure = false;
  let greeted = false;
  let transaction: Transaction | null = null;
  let lastChunk = false;
  const { faults, tlsAvailable, acceptsToken } = options;
  const takesTokens = acceptsToken !== undefined;

  const reply = (name: ReplyName) => channel.send(replies[name]);
  const auth = createSmtpAuth(options, reply, channel.close);

  const commands: Record<string, (argument: string) => void> = {
    EHLO: (argument) => hello(argument, ehloReply({ tlsAvailable, secure, takesTokens })),
    STARTTLS: startTls,
    AUTH: authenticate,
    MAIL: mailFrom,
    RCPT: rcptTo,
    DATA: data,
    BDAT: bdat,
    RSET: (argument) => {
      if (argument !== "") return reply("noArguments");
      transaction = null;
      reply("ok");
    },
    NOOP: () => reply("ok"),
    QUIT: () => {
      reply("closing");
      channel.close();
    },
  };

  function hello(argument: string, answer: string) {
    if (argument === "") return reply("syntax");
    greeted = true;
    transaction = null;
    channel.send(answer);
  }

  function startTls(argument: string) {
    if (!options.tlsAvailable) return reply("notImplemented");
    if (argument !== "") return reply("noArguments");
    if (secure) return reply("badSequence");
    // RFC 3207 section 4.2 (and CVE-2011-0411): nothing said in the clear counts after the handshake.
    channel.input.discard();
    greeted = false;
    transaction = null;
    secure = true;
    reply("readyForTls");
    channel.upgrade();
  }

  function authenticate(argument: string) {
    if (options.tlsAvailable && !secure) return reply("startTlsFirst");
    if (!greeted || auth.succeeded() || transaction !== null) return reply("badSequence");
    auth.begin(argument);
  }

  function mailFrom(argument: string) {
    if (!greeted) return reply("badSequence");
    if (options.tlsAvailable && !secure) return reply("startTlsFirst");
    if (!auth.succeeded()) return reply("authenticationRequired");
    if (transaction !== null) return reply("badSequence");
    const path = /^FROM: ?/i.test(argument)
      ? syntax.parsePath(argument.replace(/^FROM: ?/i, ""))
      : null;
    if (path === null) return reply("syntax");
    for (const [key, value] of path.parameters) {
      if (!syntax.isMailParameter(key, value)) return reply("unknownParameter");
    }
    if (Number(path.parameters.get("SIZE") ?? 0) > MESSAGE_SIZE_LIMIT)
      return reply("messageTooBig");
    const utf8 = path.parameters.has("SMTPUTF8");
    if (!utf8 && !syntax.isAscii(path.address)) return reply("addressNeedsUtf8");
    transaction = { from: path.address, to: [], utf8, chunks: null, size: 0 };
    reply("senderOk");
  }

  function rcptTo(argument: string) {
    if (transaction === null || transaction.chunks !== null) return reply("badSequence");
    const path = /^TO: ?/i.test(argument)
      ? syntax.parsePath(argument.replace(/^TO: ?/i, ""))
      : null;
    if (path === null || path.address === "") return reply("syntax");
    if (path.parameters.size > 0) return reply("unknownParameter");
    if (!transaction.utf8 && !syntax.isAscii(path.address)) return reply("addressNeedsUtf8");
    if (transaction.to.length >= MAX_RECIPIENTS) return reply("tooManyRecipients");
    const refusal = recipientRefusal(path.address, transaction.from);
    if (refusal !== null) {
      options.note(`RCPT ${path.address}: ${replies[refusal]}`);
      return reply(refusal);
    }
    transaction.to.push(path.address);
    reply("recipientOk");
  }

  function recipientRefusal(address: string, from: string): ReplyName | null {
    if (faults.take("rcpt_refused")) return "noSuchUser";
    if (faults.take("rcpt_deferred")) return "recipientDeferred";
    if (faults.take("rcpt_unresolved")) return "recipientUnresolved";
    if (faults.take("rcpt_policy")) return "recipientForbidden";
    if (faults.take("rcpt_bare")) return "recipientRefusedBare";
    return options.magic.refusal(address, from);
  }

  function data(argument: string) {
    if (argument !== "") return reply("noArguments");
    if (transaction === null || transaction.chunks !== null) return reply("badSequence");
    if (transaction.to.length === 0) return reply("noRecipients");
    if (faults.take("hang_before_dot")) return channel.hang();
    if (faults.take("close_before_dot")) channel.closeOnInput();
    channel.input.expectMessage(MESSAGE_SIZE_LIMIT);
    reply("startInput");
  }

  function bdat(argument: string) {
    const chunk = syntax.parseChunkArgument(argument);
    // Without a size the session cannot tell where the next command begins.
    if (chunk === null) {
      reply("syntax");
      return channel.close();
    }
    if (transaction !== null && transaction.to.length > 0) {
      if (faults.take("hang_before_dot")) return channel.hang();
      if (faults.take("close_before_dot")) return channel.close();
      transaction.chunks ??= [];
      transaction.size += chunk.size;
    }
    lastChunk = chunk.last;
    const keep = transaction?.chunks != null && transaction.size <= MESSAGE_SIZE_LIMIT;
    channel.input.expectChunk(chunk.size, keep);
  }

  function takeChunk(bytes: Buffer | null) {
    if (transaction === null) return reply("badSequence");
    if (transaction.chunks === null) return reply("noRecipients");
    if (transaction.size > MESSAGE_SIZE_LIMIT) {
      // RFC 3030: after a refused chunk, further ones are answered 503 until RSET or a new MAIL.
      transaction = null;
      return reply("messageTooBig");
    }
    if (bytes !== null) transaction.chunks.push(bytes);
    if (!lastChunk) return channel.send(`250 2.0.0 ${bytes?.length ?? 0} octets received`);
    takeMessage(transaction.chunks.length === 1 ? bytes : Buffer.concat(transaction.chunks));
  }

  function takeMessage(raw: Buffer | null) {
    const envelope: Envelope = { from: transaction?.from ?? "", to: transaction?.to ?? [] };
    transaction = null;
    const refusal = messageRefusal(raw);
    if (raw === null || refusal !== null) {
      options.note(`message from ${envelope.from}: ${replies[refusal ?? "messageTooBig"]}`);
      return reply(refusal ?? "messageTooBig");
    }
    if (faults.take("hang_after_dot")) {
      options.deliver({ envelope, raw, reply: null });
      return channel.hang();
    }
    if (faults.take("close_after_dot")) {
      options.deliver({ envelope, raw, reply: null });
      return channel.close();
    }
    options.deliver({ envelope, raw, reply: replies.ok });
    reply("ok");
  }

  function messageRefusal(raw: Buffer | null): ReplyName | null {
    if (raw === null || raw.length > MESSAGE_SIZE_LIMIT) return "messageTooBig";
    if (faults.take("data_refused")) return "dataRefused";
    if (faults.take("data_deferred")) return "dataDeferred";
    return lineProblem(raw);
  }

  function takeLine(line: string) {
    if (auth.waiting()) return auth.answer(line);
    const { verb, argument } = syntax.parseCommand(line);
    const command = Object.hasOwn(commands, verb) ? commands[verb] : undefined;
    return command === undefined ? reply("unknownCommand") : command(argument);
  }

  return {
    greet() {
      if (!faults.take("greeting_421")) return reply("greeting");
      reply("notAvailable");
      channel.close();
    },
    take(event: SmtpInputEvent) {
      switch (event.kind) {
        case "line":
          return takeLine(event.line.toString("utf8"));
        case "bad_line":
          return reply(event.reason);
        case "message":
          return takeMessage(event.body);
        case "chunk":
          return takeChunk(event.bytes);
      }
    },
  };
}
