import { createHash } from "node:crypto";
import type { Envelope } from "./model.ts";

/**
 * What of a message is for its destination alone, shown as `REDACTED:<SHA256>`: what its publisher said
 * (https://upstash.com/docs/qstash/howto/redact-fields), and whatever a header forwards that is a credential by its name.
 */

const CREDENTIAL =
  /^(proxy-)?authorization$|^(set-)?cookie$|(^|[-_])(secret|token|password|api[-_]?key)$/;

const digestOf = (value: string | Buffer): string =>
  `REDACTED:${createHash("sha256").update(value).digest("hex")}`;

const hides = ({ redact }: Pick<Envelope, "redact">, name: string): boolean =>
  redact?.headers === "all" || redact?.headers.includes(name) === true || CREDENTIAL.test(name);

/** The headers as lists and APIs show them. */
export const shownHeaders = (envelope: Pick<Envelope, "headers" | "redact">) =>
  Object.fromEntries(
    Object.entries(envelope.headers).map(([name, value]) => [
      name,
      [hides(envelope, name) ? digestOf(value) : value],
    ]),
  );

/** The body, which is base64, in the same way. */
export const shownBody = ({ redact }: Pick<Envelope, "redact">, body: string): string =>
  redact?.body === true
    ? Buffer.from(digestOf(Buffer.from(body, "base64"))).toString("base64")
    : body;
