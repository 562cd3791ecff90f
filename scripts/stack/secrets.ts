import { generateKeyPairSync, randomBytes } from "node:crypto";
import * as fs from "node:fs";
import * as path from "node:path";

/** What the local stack keeps secret, each of the shape its real counterpart has. */
export interface StackSecrets {
  masterKey: string;
  trackingSecret: string;
  inboundSecret: string;
  cellsSecret: string;
  redisToken: string;
  qstashToken: string;
  qstashCurrentSigningKey: string;
  qstashNextSigningKey: string;
  smtpPassword: string;
  stripeSecretKey: string;
  stripeWebhookSecret: string;
  whatsappAccessToken: string;
  whatsappAppSecret: string;
  whatsappVerifyToken: string;
  unipileApiKey: string;
  unipileWebhookSecret: string;
  mailOauthClientSecret: string;
  oidcClientSecret: string;
  /** Of the identity provider: PKCS #8, PEM. */
  identityKey: string;
  /** PKCS #8, PEM. */
  googleServiceAccountKey: string;
}

const generate: Record<keyof StackSecrets, () => string> = {
  masterKey: () => randomBytes(32).toString("base64"),
  trackingSecret: () => randomBytes(32).toString("base64"),
  inboundSecret: () => randomBytes(32).toString("base64"),
  cellsSecret: () => randomBytes(32).toString("base64url"),
  redisToken: () => randomBytes(24).toString("base64url"),
  qstashToken: () => randomBytes(24).toString("base64url"),
  qstashCurrentSigningKey: () => `sig_${randomBytes(20).toString("base64url")}`,
  qstashNextSigningKey: () => `sig_${randomBytes(20).toString("base64url")}`,
  smtpPassword: () => randomBytes(12).toString("base64url"),
  stripeSecretKey: () => `sk_test_${randomBytes(24).toString("hex")}`,
  stripeWebhookSecret: () => `whsec_${randomBytes(24).toString("hex")}`,
  whatsappAccessToken: () => `EAA${randomBytes(60).toString("hex")}`,
  whatsappAppSecret: () => randomBytes(16).toString("hex"),
  whatsappVerifyToken: () => randomBytes(24).toString("base64url"),
  unipileApiKey: () =>
    `${randomBytes(6).toString("base64url")}.${randomBytes(32).toString("base64")}`,
  unipileWebhookSecret: () => randomBytes(32).toString("base64url"),
  mailOauthClientSecret: () => `GOCSPX-${randomBytes(21).toString("base64url")}`,
  oidcClientSecret: () => randomBytes(24).toString("base64url"),
  identityKey: () =>
    generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({
      type: "pkcs8",
      format: "pem",
    }) as string,
  googleServiceAccountKey: () =>
    generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({
      type: "pkcs8",
      format: "pem",
    }) as string,
};

/** Reads the file, adding what it lacks; what is in it stays, because data in the database depends on it. */
export function keptSecrets(file: string): StackSecrets {
  const kept = readSecrets(file);
  const missing = Object.entries(generate).filter(([name]) => !(name in kept));
  const made = Object.fromEntries(missing.map(([name, make]) => [name, make()]));
  const secrets = { ...kept, ...made } as StackSecrets;
  // A start as root would make the file root's.
  if (missing.length > 0) writePrivately(file, secrets);
  return secrets;
}

function readSecrets(file: string): Partial<StackSecrets> {
  try {
    return JSON.parse(fs.readFileSync(file, "utf8")) as Partial<StackSecrets>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw new Error(
      `Cannot read ${file}: ${(error as Error).message}. What the database keeps is sealed with these secrets: ` +
        `make the file yours and whole again, or move it away and start with --fresh to give up the data.`,
      { cause: error },
    );
  }
}

export function readJson<Value>(file: string): Value | null {
  try {
    return JSON.parse(fs.readFileSync(file, "utf8")) as Value;
  } catch {
    return null;
  }
}

/** Readable by its owner alone, and never half written. */
export function writePrivately(file: string, value: unknown): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const unfinished = `${file}.${process.pid}`;
  fs.writeFileSync(unfinished, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  fs.renameSync(unfinished, file);
}
