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
  fs.writeFileSync(at("dovecot.conf"), configuration(folder, port));
  const running = await startProcess("dovecot", ["-F", "-c", at("dovecot.conf")], {
    isUp: () => connects(port),
    log: at("dovecot.log"),
  });
  return {
    ...running,
    imap: { host: "localhost", port },
    saslSocket: at("sasl"),
    mailFolder: at("mail"),
    maildir(address) {
      const [name = "", domain = ""] = address.split("@");
      return path.join(folder, "mail", domain, name);
    },
  };
}

/** Without the waits after refused logins, which all tests on loopback would share and which grow to 15 s. */
const configuration = (folder: string, port: number): string => `
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
  args = uid=${MAIL_UID} gid=${MAIL_UID} home=${folder}/mail/%d/%n
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

export function connects(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}
