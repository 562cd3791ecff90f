import type { Boxes } from "./boxes.ts";
import type { Logins } from "./imap-session.ts";

export interface LoginOptions {
  /** The relay's one login, and the password of every mailbox. */
  username: string;
  password: string;
  /** Whether an access token opens the mailbox of that name; without it none does. */
  acceptsToken?: ((email: string, token: string) => boolean) | undefined;
}

const ADDRESS = /^[^\s@]+@[^\s@]+$/;

/**
 * An address logs in by the stack's password as itself, and has a mailbox from then on, as at a provider where
 * everybody has an account. The relay's login sends for all and has no mailbox.
 */
export function createLogins(options: LoginOptions, boxes: Boxes) {
  const ownAddress = (username: string) => ADDRESS.test(username) && username !== options.username;
  const isPassword = (password: string) => password === options.password;
  const mailbox: Logins = {
    password: (username, password) => ownAddress(username) && isPassword(password),
    token: (username, token) =>
      ADDRESS.test(username) && (options.acceptsToken?.(username, token) ?? false),
  };
  return {
    mailbox,
    relay(username: string, password: string): boolean {
      if (username === options.username) return isPassword(password);
      const right = mailbox.password(username, password);
      if (right) boxes.open(username);
      return right;
    },
    relayToken(username: string, token: string): boolean {
      const right = mailbox.token(username, token);
      if (right) boxes.open(username);
      return right;
    },
  };
}
