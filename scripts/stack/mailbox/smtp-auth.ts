import type { Faults } from "../part.ts";
import type { ReplyName } from "./smtp-replies.ts";
import { decodeBase64Text, parsePlainCredentials } from "./smtp-syntax.ts";

const MAX_FAILED_LOGINS = 3;

export interface SmtpAuthOptions {
  accepts(username: string, password: string): boolean;
  faults: Faults;
  /** Notes a refusal for the part's log. */
  note(summary: string): void;
}

type Step =
  | null
  | { kind: "plain" }
  | { kind: "username" }
  | { kind: "password"; username: string };

/** AUTH PLAIN and LOGIN of one connection (RFC 4954, RFC 4616). `close` is called after one failure too many. */
export function createSmtpAuth(
  options: SmtpAuthOptions,
  reply: (name: ReplyName) => void,
  close: () => void,
) {
  let step: Step = null;
  let succeeded = false;
  let failures = 0;

  function checkPlain(encoded: string) {
    const decoded = decodeBase64Text(encoded);
    const credentials = decoded === null ? null : parsePlainCredentials(decoded);
    if (credentials === null) return reply("authUndecodable");
    check(credentials.username, credentials.password);
  }

  function takeUsername(encoded: string) {
    const username = decodeBase64Text(encoded);
    if (username === null) return reply("authUndecodable");
    step = { kind: "password", username };
    reply("authPassword");
  }

  function takePassword(username: string, encoded: string) {
    const password = decodeBase64Text(encoded);
    if (password === null) return reply("authUndecodable");
    check(username, password);
  }

  function check(username: string, password: string) {
    if (!options.faults.take("auth_refused") && options.accepts(username, password)) {
      succeeded = true;
      return reply("authenticated");
    }
    options.note(`AUTH refused for ${username}`);
    failures += 1;
    reply("badCredentials");
    if (failures < MAX_FAILED_LOGINS) return;
    reply("tooManyLogins");
    close();
  }

  return {
    succeeded: () => succeeded,
    /** True while the next line is an answer to a challenge and no command. */
    waiting: () => step !== null,
    begin(argument: string) {
      const [mechanism = "", initial] = argument.split(/ +/);
      switch (mechanism.toUpperCase()) {
        case "PLAIN":
          if (initial !== undefined) return checkPlain(initial);
          step = { kind: "plain" };
          return reply("authPlain");
        case "LOGIN":
          if (initial !== undefined) return takeUsername(initial);
          step = { kind: "username" };
          return reply("authUsername");
        default:
          return reply("unknownMechanism");
      }
    },
    answer(line: string) {
      const current = step;
      step = null;
      if (line === "*") return reply("authCancelled");
      if (current?.kind === "plain") return checkPlain(line);
      if (current?.kind === "username") return takeUsername(line);
      if (current?.kind === "password") return takePassword(current.username, line);
    },
  };
}
