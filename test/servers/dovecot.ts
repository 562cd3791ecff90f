import * as fs from "node:fs";
import * as net from "node:net";
import * as path from "node:path";
import type { LocalCertificate } from "../../scripts/stack/certificate.ts";
import { freePort, type Running, startProcess } from "./process.ts";

/** Who owns the mail: neither server serves root. */
export const MAIL_UID = 65_534;

export interface Dovecot extends Running {
  imap: { host: string; port: number };
  /** Socket by which Postfix asks whether a login is right. */
  saslSocket: string;
  /** Where Postfix hands over what scripts file; null without scripts. */
  lmtpSocket: string | null;
  /** Where the Maildirs lie, by domain and name. */
  mailFolder: string;
  /** The Maildir of an address. */
  maildir(address: string): string;
}

export interface DovecotOptions {
  folder: string;
  certificate: LocalCertificate;
  /** Passwords by address. */
  users: Record<string, string>;
  /** Where an access token is judged (RFC 7662), for XOAUTH2 and OAUTHBEARER. */
  introspectionUrl: string;
  /** Sieve scripts (RFC 5228) by address: mail is delivered by LMTP then, as they say. */
  sieve?: Record<string, string>;
}

/** Debian's Dovecot: IMAP over TLS and SASL for Postfix, from a configuration of its own, on loopback. */
export async function startDovecot(options: DovecotOptions): Promise<Dovecot> {
  const { folder, certificate, users } = options;
  const at = (name: string) => path.join(folder, name);
  const port = await freePort();
  fs.mkdirSync(at("mail"));
  fs.chownSync(at("mail"), MAIL_UID, MAIL_UID);
  fs.writeFileSync(at("cert.pem"), certificate.cert);
  fs.writeFileSync(at("key.pem"), certificate.key, { mode: 0o600 });
  const passwords = Object.entries(users).map(([email, password]) => `${email}:{PLAIN}${password}`);
  fs.writeFileSync(at("users"), `${passwords.join("\n")}\n`);
  fs.writeFileSync(
    at("oauth2.conf"),
    `introspection_mode = post
introspection_url = ${options.introspectionUrl}
username_attribute = username
active_attribute = active
active_value = true
tokeninfo_url =
`,
  );
  const { sieve } = options;
  if (sieve !== undefined) fs.mkdirSync(at("sieve"));
  for (const [email, script] of Object.entries(sieve ?? {}))
    fs.writeFileSync(at(`sieve/${email}.sieve`), script);
  const filed = sieve === undefined ? "" : filing(folder);
  fs.writeFileSync(at("dovecot.conf"), configuration(folder, port, sieve !== undefined) + filed);
  const running = await startProcess("dovecot", ["-F", "-c", at("dovecot.conf")], {
    isUp: () => connects(port),
    log: at("dovecot.log"),
  });
  return {
    ...running,
    imap: { host: "localhost", port },
    saslSocket: at("sasl"),
    lmtpSocket: sieve === undefined ? null : at("lmtp"),
    mailFolder: at("mail"),
    maildir(address) {
      const [name = "", domain = ""] = address.split("@");
      return path.join(folder, "mail", domain, name);
    },
  };
}

/** Who delivers by LMTP logs in by no mechanism, so that no password is looked up. Without the waits after refused logins, which all tests on loopback would share and which grow to 15 s. */
const configuration = (folder: string, port: number, lmtp: boolean): string => `
base_dir = ${folder}/run
state_dir = ${folder}/run
log_path = ${folder}/dovecot.log
protocols = imap
listen = 127.0.0.1
ssl = required
ssl_cert = <${folder}/cert.pem
ssl_key = <${folder}/key.pem
auth_mechanisms = plain login xoauth2 oauthbearer
auth_failure_delay = 0
mail_location = maildir:~/
first_valid_uid = ${MAIL_UID}
last_valid_uid = ${MAIL_UID}
first_valid_gid = ${MAIL_UID}
last_valid_gid = ${MAIL_UID}
passdb {
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = ${folder}/oauth2.conf
}
passdb {
  driver = passwd-file
  mechanisms = plain login
  args = username_format=%u ${folder}/users
}
userdb {
  driver = static
  args = uid=${MAIL_UID} gid=${MAIL_UID} home=${folder}/mail/%d/%n${lmtp ? " allow_all_users=yes" : ""}
}
service imap-login {
  inet_listener imap {
    port = 0
  }
  inet_listener imaps {
    port = ${port}
    ssl = yes
  }
}
service auth {
  unix_listener ${folder}/sasl {
    mode = 0666
  }
}
service anvil {
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service stats {
  unix_listener stats-writer {
    mode = 0666
  }
}
`;

/** Delivery by LMTP through Pigeonhole, and a folder for spam with its special use (RFC 6154). */
const filing = (folder: string): string => `
protocols = imap lmtp
hostname = mail.servers.test
postmaster_address = postmaster@servers.test
namespace inbox {
  inbox = yes
  separator = /
  mailbox Junk {
    auto = create
    special_use = \\Junk
  }
}
lda_mailbox_autocreate = yes
service lmtp {
  unix_listener ${folder}/lmtp {
    mode = 0666
  }
}
protocol lmtp {
  mail_plugins = sieve
}
plugin {
  sieve = file:${folder}/sieve/%u.sieve
  sieve_user_log = ${folder}/sieve.log
}
`;

export function connects(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}
