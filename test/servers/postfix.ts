import * as fs from "node:fs";
import * as path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { LocalCertificate } from "../../scripts/stack/certificate.ts";
import { connects, MAIL_UID } from "./dovecot.ts";
import { freePort, type Running, run } from "./process.ts";

export interface Postfix extends Running {
  smtp: { host: string; port: number; security: "starttls" };
  log(): string;
}

export interface PostfixOptions {
  folder: string;
  certificate: LocalCertificate;
  /** Dovecot's, which judges logins. */
  saslSocket: string;
  /** Dovecot's, to which mail is handed over; null: it is laid into the Maildirs. */
  lmtpSocket: string | null;
  /** Where the Maildirs of all addresses lie, by domain and name. */
  mailFolder: string;
  /** Who has a mailbox; all other addresses of their domains are refused, 550 5.1.1. */
  addresses: string[];
  /** Mail for it is taken, and refused by the next host: a report about it goes back to its sender. */
  goneDomain: string;
}

/** Debian's Postfix as a submission server, with STARTTLS and AUTH required, delivering to Maildirs. It is an instance of its own, on loopback. */
export async function startPostfix(options: PostfixOptions): Promise<Postfix> {
  const { folder, certificate } = options;
  const at = (name: string) => path.join(folder, name);
  const port = await freePort();
  const gone = { domain: options.goneDomain, port: await freePort() };
  for (const name of ["config", "queue", "data"]) fs.mkdirSync(at(name));
  await run("chown", ["postfix:postfix", at("data")]);
  fs.writeFileSync(at("config/cert.pem"), certificate.cert);
  fs.writeFileSync(at("config/key.pem"), certificate.key, { mode: 0o600 });
  const mailboxes = options.addresses.map((email) => `${email} ${folderOf(email)}/\n`);
  fs.writeFileSync(at("config/mailboxes"), mailboxes.join(""));
  fs.writeFileSync(at("config/main.cf"), mainCf(options, gone));
  fs.writeFileSync(at("config/master.cf"), masterCf(port, gone));
  const postfix = (verb: string) => run("/usr/sbin/postfix", ["-c", at("config"), verb]);
  const log = () =>
    fs.existsSync(at("postfix.log")) ? fs.readFileSync(at("postfix.log"), "utf8") : "";
  await postfix("start");
  const close = async () => {
    await postfix("stop");
  };
  for (let tries = 0; tries < 200; tries += 1) {
    if (await connects(port))
      return { smtp: { host: "localhost", port, security: "starttls" }, log, close };
    await delay(50);
  }
  await close().catch(() => {});
  throw new Error(`Postfix does not answer: ${log().slice(-4000)}`);
}

const domainOf = (email: string): string => email.slice(email.indexOf("@") + 1);
/** As Dovecot finds it. */
const folderOf = (email: string): string => `${domainOf(email)}/${email.split("@")[0]}`;

interface Gone {
  domain: string;
  port: number;
}

const mainCf = (
  { folder, saslSocket, lmtpSocket, mailFolder, addresses }: PostfixOptions,
  gone: Gone,
): string => `
compatibility_level = 3.6
queue_directory = ${folder}/queue
data_directory = ${folder}/data
mail_owner = postfix
setgid_group = postdrop
maillog_file = ${folder}/postfix.log
maillog_file_prefixes = ${path.dirname(folder)}
myhostname = mail.servers.test
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
local_recipient_maps =
alias_maps =
virtual_mailbox_domains = ${[...new Set(addresses.map(domainOf))].join(", ")}
virtual_mailbox_base = ${mailFolder}
virtual_mailbox_maps = texthash:${folder}/config/mailboxes
${lmtpSocket === null ? "" : `virtual_transport = lmtp:unix:${lmtpSocket}`}
virtual_uid_maps = static:${MAIL_UID}
virtual_gid_maps = static:${MAIL_UID}
relay_domains = ${gone.domain}
transport_maps = inline:{${gone.domain}=smtp:[127.0.0.1]:${gone.port}}
smtpd_tls_security_level = encrypt
smtpd_tls_cert_file = ${folder}/config/cert.pem
smtpd_tls_key_file = ${folder}/config/key.pem
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = ${saslSocket}
smtpd_sasl_security_options = noanonymous
smtpd_tls_auth_only = yes
smtpd_recipient_restrictions = permit_sasl_authenticated, reject
smtpd_relay_restrictions = permit_sasl_authenticated, reject
`;

/** The second server is the mail host of the gone domain: without a login or TLS, and it knows nobody. */
const masterCf = (port: number, gone: Gone): string => `
127.0.0.1:${port} inet n - n - - smtpd
127.0.0.1:${gone.port} inet n - n - - smtpd
  -o myhostname=mx.${gone.domain}
  -o smtpd_tls_security_level=none
  -o smtpd_tls_auth_only=no
  -o smtpd_sasl_auth_enable=no
  -o smtpd_relay_restrictions=reject_unauth_destination
  -o smtpd_recipient_restrictions=reject_unauth_destination
  -o relay_recipient_maps=inline:{postmaster@${gone.domain}=x}
smtp unix - - n - - smtp
lmtp unix - - n - - lmtp
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
proxywrite unix - - n - 1 proxymap
error unix - - n - - error
retry unix - - n - - error
virtual unix - n n - - virtual
anvil unix - - n - 1 anvil
postlog unix-dgram n - n - 1 postlogd
`;
