import * as fs from "node:fs";
import * as http from "node:http";
import type { AddressInfo } from "node:net";
import * as path from "node:path";
import { createLocalCertificate, type LocalCertificate } from "../../scripts/stack/certificate.ts";
import { type Dovecot, startDovecot } from "./dovecot.ts";
import { type Postfix, startPostfix } from "./postfix.ts";
import { lacking, makeFolder, type Running } from "./process.ts";

const missing = [
  ...lacking("postfix", "dovecot"),
  ...(fs.existsSync("/usr/lib/python3/dist-packages/dkim") ? [] : ["python3-dkim"]),
];
/** Whether the tests of this folder can run; where not, it is said why, and loudly. */
export const canRun = missing.length === 0;
if (!canRun)
  console.warn(
    `NOT RUN: Postfix and Dovecot. This machine lacks: ${missing.join(", ")} (Debian: apt-get install postfix dovecot-core dovecot-imapd dovecot-sieve dovecot-lmtpd python3-dkim)`,
  );

const withoutSieve = [
  "/usr/lib/dovecot/modules/lib90_sieve_plugin.so",
  "/usr/lib/dovecot/lmtp",
].some((file) => !fs.existsSync(file));
/** Whether mail can be filed by scripts, too. */
export const canFile = canRun && !withoutSieve;
if (canRun && withoutSieve)
  console.warn(
    "NOT RUN: mail that is filed by Sieve (Debian: apt-get install dovecot-sieve dovecot-lmtpd)",
  );

export interface Servers extends Running {
  postfix: Postfix;
  dovecot: Dovecot;
  /** PEM of the authority behind the certificates of both. */
  ca: string;
  /** Access tokens that open a mailbox now, by address; a test may change them. */
  tokens: Map<string, string>;
  /** The messages of an address, octet for octet, in the order in which they came. */
  mailOf(address: string): Buffer[];
}

/** `gone`: Postfix takes mail for it, and its mail host then refuses every recipient. */
export const DOMAINS = { senders: "sender.zz", leads: "leads.zz", gone: "gone.zz" };

export interface ServersOptions {
  certificate?: LocalCertificate;
  /** Who judges access tokens, if not the `tokens` of these servers (RFC 7662). */
  introspectionUrl?: string;
  /** Sieve scripts by address, by which mail is filed. */
  sieve?: Record<string, string>;
}

/**
 * Postfix for submission, which asks Dovecot about logins and delivers to the mailboxes that Dovecot serves: those of
 * `users`, with their passwords, and `others`, into which nobody logs in.
 */
export async function startServers(
  users: Record<string, string>,
  others: string[] = [],
  { certificate = createLocalCertificate(), introspectionUrl, sieve }: ServersOptions = {},
): Promise<Servers> {
  const folder = makeFolder("servers");
  const tokens = new Map<string, string>();
  const started: Running[] = [];
  const close = async () => {
    for (const each of started.splice(0).toReversed()) await each.close();
    fs.rmSync(folder, { recursive: true, force: true });
  };
  try {
    const introspection = await startIntrospection(tokens);
    started.push(introspection);
    const dovecot = await startDovecot({
      folder: subfolder(folder, "dovecot"),
      certificate,
      users,
      introspectionUrl: introspectionUrl ?? introspection.url,
      ...(sieve === undefined ? {} : { sieve }),
    });
    started.push(dovecot);
    const postfix = await startPostfix({
      folder: subfolder(folder, "postfix"),
      certificate,
      saslSocket: dovecot.saslSocket,
      lmtpSocket: dovecot.lmtpSocket,
      mailFolder: dovecot.mailFolder,
      addresses: [...Object.keys(users), ...others],
      goneDomain: DOMAINS.gone,
    });
    started.push(postfix);
    return {
      postfix,
      dovecot,
      ca: certificate.ca,
      tokens,
      mailOf: (address) => readMaildir(dovecot.maildir(address)),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function subfolder(folder: string, name: string): string {
  const made = path.join(folder, name);
  fs.mkdirSync(made);
  return made;
}

function readMaildir(folder: string): Buffer[] {
  return ["cur", "new"]
    .map((name) => path.join(folder, name))
    .filter((each) => fs.existsSync(each))
    .flatMap((each) => fs.readdirSync(each).map((name) => path.join(each, name)))
    .toSorted((a, b) => fs.statSync(a).mtimeMs - fs.statSync(b).mtimeMs)
    .map((file) => fs.readFileSync(file));
}

/** Says of an access token whether it is in force, and whose (RFC 7662). */
async function startIntrospection(
  tokens: ReadonlyMap<string, string>,
): Promise<Running & { url: string }> {
  const server = http.createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      const token = new URLSearchParams(body).get("token");
      const username = [...tokens].find(([, one]) => one === token)?.[0];
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ active: username !== undefined, username }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/introspect`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
