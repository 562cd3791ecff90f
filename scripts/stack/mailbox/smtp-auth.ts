import type { Faults } from "../part.ts";
import type { ReplyName } from "./smtp-replies.ts";
import { decodeBase64Text, parsePlainCredentials } from "./smtp-syntax.ts";

const MAX_FAILED_LOGINS = 3;

export interface SmtpAuthOptions {
  accepts(username: string, password: string): boolean;
  /** Whether an access token opens that mailbox; without it no logins by token are offered. */
  acceptsToken?: ((email: string, token: string) => boolean) | undefined;
  faults: Faults;
  /** Notes a refusal for the part's log. */
  note(summary: string): void;
}

type Step =
  | null
  | { kind: "plain" }
  | { kind: "username" }
  | { kind: "token"; pattern: RegExp }
  | { kind: "dismissal" }
  | { kind: "password"; username: string };

/** What the client says in each mechanism that takes a token: the name, then the token (RFC 7628, Google's XOAUTH2). */
const TOKEN_MESSAGES: Readonly<Record<string, RegExp>> = {
  // oxlint-disable-next-line no-control-regex -- the mechanisms separate their fields by it
  XOAUTH2: /^user=([^\x01]+)\x01auth=Bearer ([\x21-\x7e]+)\x01\x01$/,
  // oxlint-disable-next-line no-control-regex
  OAUTHBEARER:
    /^n,a=([^\x01,]+),(?:\x01(?:host|port)=[^\x01]*)*\x01auth=Bearer ([\x21-\x7e]+)\x01\x01$/,
};

/** AUTH PLAIN, LOGIN, XOAUTH2 and OAUTHBEARER of one connection (RFC 4954, RFC 4616). `close` is called after one failure too many. */
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

  function checkToken(pattern: RegExp, encoded: string) {
    const decoded = decodeBase64Text(encoded);
    const [, name, token] = (decoded === null ? null : pattern.exec(decoded)) ?? [];
    if (name === undefined || token === undefined) return reply("authUndecodable");
    const email = name.replaceAll("=2C", ",").replaceAll("=3D", "=");
    const right = options.acceptsToken?.(email, token) === true;
    if (!options.faults.take("auth_refused") && right) {
      succeeded = true;
      return reply("authenticated");
    }
    options.note(`AUTH by token refused for ${email}`);
    step = { kind: "dismissal" };
    reply("tokenRefused");
  }

  function check(username: string, password: string) {
    if (!options.faults.take("auth_refused") && options.accepts(username, password)) {
      succeeded = true;
      return reply("authenticated");
    }
    options.note(`AUTH refused for ${username}`);
    refuse();
  }

  function refuse() {
    failures += 1;
    reply("badCredentials");
    if (failures < MAX_FAILED_LOGINS) return;
    reply("tooManyLogins");
    close();
  }

  function beginToken(mechanism: string, initial: string | undefined) {
    const pattern = Object.hasOwn(TOKEN_MESSAGES, mechanism)
      ? TOKEN_MESSAGES[mechanism]
      : undefined;
    if (pattern === undefined || options.acceptsToken === undefined)
      return reply("unknownMechanism");
    if (initial !== undefined) return checkToken(pattern, initial);
    step = { kind: "token", pattern };
    reply("authPlain");
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
          return beginToken(mechanism.toUpperCase(), initial);
      }
    },
    answer(line: string) {
      const current = step;
      step = null;
      if (current?.kind === "dismissal") return refuse();
      if (line === "*") return reply("authCancelled");
      if (current?.kind === "token") return checkToken(current.pattern, line);
      if (current?.kind === "plain") return checkPlain(line);
      if (current?.kind === "username") return takeUsername(line);
      if (current?.kind === "password") return takePassword(current.username, line);
    },
  };
}
