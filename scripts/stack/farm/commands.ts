import { NO_ENVELOPE, say, type Session, speak } from "./session.ts";
import { offers } from "./stages.ts";

/** Resolves with the reply's text, or with null when the connection is over. */
type Command = (session: Session, argument: string) => Promise<string | null>;

export const COMMANDS: Record<string, Command> = {
  EHLO: (session, argument) => greet(session, "ehlo", argument),
  HELO: (session, argument) => greet(session, "helo", argument),
  STARTTLS: startTls,
  MAIL: takeSender,
  RCPT: takeRecipient,
  DATA: takeMessage,
  RSET(session) {
    Object.assign(session, NO_ENVELOPE);
    return speak(session, "rset");
  },
  NOOP: (session) => speak(session, "noop"),
  VRFY: (session) => speak(session, "vrfy"),
  async QUIT(session) {
    if ((await speak(session, "quit")) !== null)
      await session.wire.perform({ end: "close" }, "", 0);
    return null;
  },
};

function greet(session: Session, stage: "ehlo" | "helo", name: string): Promise<string | null> {
  Object.assign(session, NO_ENVELOPE, { helo: name });
  return speak(session, stage);
}

async function startTls(session: Session): Promise<string | null> {
  if (session.isTls || !offers(session, "STARTTLS"))
    return say(session, "502 5.5.1 Error: command not implemented");
  const reply = await speak(session, "starttls");
  if (reply?.startsWith("220") !== true) return reply;
  await session.startTls();
  Object.assign(session, NO_ENVELOPE, { helo: "", isTls: true });
  return reply;
}

async function takeSender(session: Session, argument: string): Promise<string | null> {
  const mail = /^FROM:\s*<([^>]*)>(.*)$/i.exec(argument);
  if (mail === null) return say(session, "501 5.5.4 Syntax: MAIL FROM:<address>");
  if (session.from !== null) return say(session, "503 5.5.1 Error: nested MAIL command");
  const parameters = mail[2]!.trim().toUpperCase().split(/\s+/).filter(Boolean);
  const strange = parameters.find((one) => !isOffered(session, one));
  if (strange !== undefined) return say(session, `555 5.5.4 Unsupported option: ${strange}`);
  session.from = mail[1]!.toLowerCase();
  session.isUtf8 = parameters.includes("SMTPUTF8");
  const reply = await speak(session, "mail");
  if (reply?.startsWith("2") !== true) Object.assign(session, NO_ENVELOPE);
  return reply;
}

function isOffered(session: Session, parameter: string): boolean {
  const name = parameter.split("=")[0]!;
  return offers(session, name === "BODY" ? "8BITMIME" : name);
}

async function takeRecipient(session: Session, argument: string): Promise<string | null> {
  const rcpt = /^TO:\s*<([^>]*)>/i.exec(argument);
  if (rcpt === null) return say(session, "501 5.5.4 Syntax: RCPT TO:<address>");
  if (session.from === null) return say(session, "503 5.5.1 Error: need MAIL command");
  return speak(session, "rcpt", rcpt[1]!);
}

async function takeMessage(session: Session): Promise<string | null> {
  if (session.accepted === 0) return say(session, "554 5.5.1 Error: no valid recipients");
  const reply = await speak(session, "data");
  if (reply?.startsWith("354") !== true) return reply;
  session.wire.expectMessage();
  await session.wire.next();
  const ending = await speak(session, "message");
  Object.assign(session, NO_ENVELOPE);
  return ending;
}
