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

type Step = null | { kind: "plain" } | { kind: "token" } | { kind: "dismissal" };

/** The name, then the token (Google's XOAUTH2). */
// oxlint-disable-next-line no-control-regex -- the mechanism separates its fields by it
const TOKEN_MESSAGE = /^user=([^\x01]+)\x01auth=Bearer ([\x21-\x7e]+)\x01\x01$/;

/** AUTH PLAIN and XOAUTH2 of one connection (RFC 4954, RFC 4616). `close` is called after one failure too many. */
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

  function checkToken(encoded: string) {
    const decoded = decodeBase64Text(encoded);
    const [, email, token] = (decoded === null ? null : TOKEN_MESSAGE.exec(decoded)) ?? [];
    if (email === undefined || token === undefined) return reply("authUndecodable");
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

  return {
    succeeded: () => succeeded,
    /** True while the next line is an answer to a challenge and no command. */
    waiting: () => step !== null,
    begin(argument: string) {
      const [mechanism = "", initial] = argument.split(/ +/);
      const name = mechanism.toUpperCase();
      const isToken = name === "XOAUTH2" && options.acceptsToken !== undefined;
      if (name !== "PLAIN" && !isToken) return reply("unknownMechanism");
      if (initial !== undefined) return isToken ? checkToken(initial) : checkPlain(initial);
      step = { kind: isToken ? "token" : "plain" };
      reply("authPlain");
    },
    answer(line: string) {
      const current = step;
      step = null;
      if (current?.kind === "dismissal") return refuse();
      if (line === "*") return reply("authCancelled");
      if (current?.kind === "token") return checkToken(line);
      if (current?.kind === "plain") return checkPlain(line);
    },
  };
}
