import { fromBase64, toBase64 } from "#src/platform/encoding.ts";

/** A login by access token: user, token and server. */
export interface TokenLogin {
  username: string;
  accessToken: string;
  host: string;
  port: number;
}

/** A SASL mechanism that takes an access token in the place of a password; SMTP and IMAP share them. */
export interface TokenMechanism {
  name: string;
  /** The client's one message, in base64. */
  message(login: TokenLogin): string;
  /** What ends the exchange once the server has said in a challenge why it refuses. */
  dismissal: string;
}

const SEPARATOR = "\u0001";

/**
 * In the order of preference: Google and Microsoft both speak XOAUTH2
 * (https://developers.google.com/workspace/gmail/imap/xoauth2-protocol), and the standard one (RFC 7628) is for all other servers.
 */
const MECHANISMS: readonly TokenMechanism[] = [
  {
    name: "XOAUTH2",
    message: ({ username, accessToken }) =>
      base64([`user=${username}`, `auth=Bearer ${accessToken}`, "", ""].join(SEPARATOR)),
    dismissal: "",
  },
  {
    name: "OAUTHBEARER",
    message: ({ username, accessToken, host, port }) =>
      base64(
        [
          `n,a=${saslName(username)},`,
          `host=${host}`,
          `port=${port}`,
          `auth=Bearer ${accessToken}`,
          "",
          "",
        ].join(SEPARATOR),
      ),
    dismissal: base64(SEPARATOR),
  },
];

/** The first that the server offers, by upper-case names; undefined when it takes no tokens. */
export const tokenMechanism = (offered: readonly string[]): TokenMechanism | undefined =>
  MECHANISMS.find(({ name }) => offered.includes(name));

/**
 * The `status` of an error challenge: "401", or RFC 7628's "invalid_token". Undefined when the challenge is
 * something else; whatever stands in it besides is the server's and not shown.
 */
export function challengeStatus(challenge: string): string | undefined {
  const bytes = fromBase64(challenge.trim());
  if (bytes === null) return undefined;
  try {
    const { status } = JSON.parse(new TextDecoder().decode(bytes)) as { status?: unknown };
    return /^[\w-]{1,40}$/.test(String(status)) ? String(status) : undefined;
  } catch {
    return undefined;
  }
}

/** RFC 5801 section 4: the two characters that mean something in a GS2 header. */
const saslName = (name: string) => name.replaceAll("=", "=3D").replaceAll(",", "=2C");

function base64(text: string): string {
  return toBase64(new TextEncoder().encode(text));
}
