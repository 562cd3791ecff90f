import { createHttpTransports } from "./http-transport.ts";
import type { HttpAccount, MailTransport } from "./index.ts";
import { presetCredentials, presetMessage } from "./presets.ts";
import { createSmtpPool, type SmtpPoolOptions } from "./smtp.ts";

export interface TransportOptions {
  smtp: SmtpPoolOptions;
  fetch: typeof fetch;
  now: () => Date;
  /** Base URLs in the place of the providers' own. */
  endpoints: { ses: string | undefined; mailgun: string | undefined };
}

/** The transport behind each kind of account. */
export function createMailTransport(options: TransportOptions): MailTransport {
  const { smtp, fetch, now, endpoints } = options;
  const pool = createSmtpPool(smtp);
  const http = createHttpTransports({ fetch, now });
  const at = <A extends HttpAccount>(account: A): A => {
    const endpoint = endpoints[account.kind];
    return endpoint === undefined ? account : { ...account, endpoint };
  };
  return {
    async send(account, message) {
      switch (account.kind) {
        case "smtp":
          return pool.send(account, message);
        case "postmark":
        case "resend":
          return pool.send(presetCredentials(account), presetMessage(account, message));
        case "ses":
        case "mailgun":
          return http.send(at(account), message);
      }
    },
    async check(account, sender) {
      switch (account.kind) {
        case "smtp":
          return pool.check(account, sender);
        case "postmark":
        case "resend":
          return pool.check(presetCredentials(account), sender);
        case "ses":
        case "mailgun":
          return http.check(at(account));
      }
    },
    close: () => pool.close(),
  };
}
