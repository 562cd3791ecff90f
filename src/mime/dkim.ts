import { fromBase64, toBase64 } from "#src/platform/encoding.ts";
import { relaxedBody, relaxedField, splitMessage } from "./dkim-canonical.ts";

export type DkimKind = "rsa" | "ed25519";

export interface DkimKeyPair {
  kind: DkimKind;
  /** PKCS #8, base64: secret. */
  privateKey: string;
  /** The `p=` of the DNS record: SPKI for RSA (RFC 6376), the bare 32 bytes for Ed25519 (RFC 8463). */
  publicKey: string;
}

/** A key that is ready to sign for a domain. */
export interface DkimSigner {
  kind: DkimKind;
  domain: string;
  selector: string;
  key: CryptoKey;
}

const algorithms = {
  rsa: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
  ed25519: { name: "Ed25519" },
} as const;

const generation = {
  rsa: { ...algorithms.rsa, modulusLength: 2048, publicExponent: Uint8Array.of(1, 0, 1) },
  ed25519: algorithms.ed25519,
} as const;

/** RSA keys have 2048 bits. */
export async function generateDkimKey(kind: DkimKind): Promise<DkimKeyPair> {
  const pair = (await crypto.subtle.generateKey(generation[kind], true, [
    "sign",
    "verify",
  ])) as CryptoKeyPair;
  const exported = async (format: "pkcs8" | "spki" | "raw", key: CryptoKey) =>
    toBase64(new Uint8Array((await crypto.subtle.exportKey(format, key)) as ArrayBuffer));
  return {
    kind,
    privateKey: await exported("pkcs8", pair.privateKey),
    publicKey: await exported(kind === "rsa" ? "spki" : "raw", pair.publicKey),
  };
}

/** The TXT record at `<selector>._domainkey.<domain>`; publishers split it into strings of 255 bytes. */
export function dkimRecord({ kind, publicKey }: Pick<DkimKeyPair, "kind" | "publicKey">): string {
  return `v=DKIM1; k=${kind}; p=${publicKey}`;
}

/** Imports a private key once, for as many signatures as are wanted. */
export async function importDkimKey(
  domain: string,
  selector: string,
  { kind, privateKey }: Pick<DkimKeyPair, "kind" | "privateKey">,
): Promise<DkimSigner> {
  const bytes = fromBase64(privateKey);
  if (bytes === null) throw new Error("DKIM private key is not base64");
  const key = await crypto.subtle.importKey("pkcs8", bytes, algorithms[kind], false, ["sign"]);
  return { kind, domain, selector, key };
}

/**
 * Signed once more often than they occur, so that none can be added: what readers and one-click
 * unsubscribe (RFC 8058) go by.
 */
const oversigned = [
  "from",
  "to",
  "cc",
  "subject",
  "date",
  "reply-to",
  "message-id",
  "in-reply-to",
  "references",
  "list-unsubscribe",
  "list-unsubscribe-post",
  "mime-version",
  "content-type",
  "content-transfer-encoding",
];
/** Signed as often as they occur. */
const signed = [...oversigned, "feedback-id", "list-id", "auto-submitted"];

/**
 * The message with one DKIM-Signature per key in front (RFC 6376, relaxed/relaxed): rsa-sha256, and
 * ed25519-sha256 (RFC 8463) beside it for those who verify it. The body is hashed once.
 */
export async function signDkim(
  raw: Uint8Array,
  keys: readonly DkimSigner[],
  { now }: { now: Date },
): Promise<Uint8Array> {
  const { fields, bodyStart } = splitMessage(raw);
  const bodyHash = toBase64(await sha256(relaxedBody(raw.subarray(bodyStart))));

  const names: string[] = [];
  const lines: string[] = [];
  for (const name of signed) {
    // Several fields of one name are signed from the bottom up (section 5.4.2).
    const values = fields.filter((field) => field.name === name).toReversed();
    for (const { relaxed } of values) {
      names.push(name);
      lines.push(relaxed);
    }
    if (oversigned.includes(name)) names.push(name);
  }
  const seconds = Math.floor(now.getTime() / 1000);
  const signatures = await Promise.all(
    keys.map(async (key) => {
      const value =
        ` v=1; a=${key.kind}-sha256; c=relaxed/relaxed; d=${key.domain}; s=${key.selector};\r\n` +
        ` t=${seconds}; h=${folded(names, ":")};\r\n bh=${bodyHash};\r\n b=`;
      const data = new Uint8Array(
        new TextEncoder().encode([...lines, relaxedField("dkim-signature", value)].join("\r\n")),
      );
      // RFC 8463 section 3: Ed25519 signs the SHA-256 of the data, RSA hashes it itself.
      const signature = await crypto.subtle.sign(
        algorithms[key.kind].name,
        key.key,
        key.kind === "ed25519" ? await sha256(data) : data,
      );
      const text = toBase64(new Uint8Array(signature)).match(/.{1,72}/g) ?? [];
      return `DKIM-Signature:${value}${text.join("\r\n ")}\r\n`;
    }),
  );
  const head = new TextEncoder().encode(signatures.join(""));
  const out = new Uint8Array(head.length + raw.length);
  out.set(head);
  out.set(raw, head.length);
  return out;
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

/** Items with a separator, folded at about 70 characters a line. */
function folded(items: readonly string[], separator: string): string {
  let out = "";
  let column = 20;
  for (const [index, item] of items.entries()) {
    const text = index < items.length - 1 ? item + separator : item;
    if (column + text.length > 70) {
      out += "\r\n ";
      column = 1;
    }
    out += text;
    column += text.length;
  }
  return out;
}
