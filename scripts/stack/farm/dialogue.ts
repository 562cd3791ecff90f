import { COMMANDS } from "./commands.ts";
import { NO_ENVELOPE, say, type Session, type SessionSurroundings, speak } from "./session.ts";

/** Speaks SMTP (RFC 5321) as the host's row has it; rejects when the connection breaks. */
export async function runSession(surroundings: SessionSurroundings): Promise<void> {
  const session: Session = {
    ...surroundings,
    helo: "",
    isTls: false,
    rcpts: 0,
    refused: 0,
    ...NO_ENVELOPE,
  };
  if ((await speak(session, "banner")) === null) return;
  for (;;) {
    const event = await session.wire.next();
    const line = event.kind === "line" ? event.line.toString("utf8") : "";
    const [, verb = "", argument = ""] = /^(\w+)(?:\s+(.*))?$/.exec(line) ?? [];
    const name = verb.toUpperCase();
    const reply = Object.hasOwn(COMMANDS, name)
      ? await COMMANDS[name]!(session, argument)
      : await say(session, "502 5.5.2 Error: command not recognized");
    if (reply === null) return;
  }
}
