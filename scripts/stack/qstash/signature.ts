import { createHash, createHmac, randomBytes } from "node:crypto";

const LIFETIME_SECONDS = 300;

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

const HEADER = encode({ alg: "HS256", typ: "JWT" });

/** The JWT of `Upstash-Signature` (https://upstash.com/docs/qstash/features/security). */
export function sign(delivery: { url: string; body: Buffer }, key: string, now: Date): string {
  const seconds = Math.floor(now.getTime() / 1000);
  const claims = encode({
    iss: "Upstash",
    sub: delivery.url,
    exp: seconds + LIFETIME_SECONDS,
    nbf: seconds,
    iat: seconds,
    jti: randomId("jwt_"),
    body: `${createHash("sha256").update(delivery.body).digest("base64url")}=`,
  });
  const mac = createHmac("sha256", key).update(`${HEADER}.${claims}`).digest("base64url");
  return `${HEADER}.${claims}.${mac}`;
}

/** An id in the manner of QStash's: a prefix and 28 letters and digits. */
export function randomId(prefix: string): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  const characters = [...randomBytes(28)].map((byte) => alphabet[byte % alphabet.length]);
  return prefix + characters.join("");
}
