import { createDohDns } from "#src/providers/dns/doh.ts";
import { createMailTransport } from "#src/providers/mail/transports.ts";
import { createMailDial } from "#src/wiring.ts";
import { createNodeDial } from "#functions/smtp-prober/node-dial.ts";
import { answerOf, type Check } from "./context.ts";
import { fail, off, ok, type Said } from "./finding.ts";
import { whereToFind } from "./where.ts";

/** Logs in to the relay as a notice would, at what the Worker would connect to, and sends nothing. */
export const notices: Check = {
  part: "notices",
  async run({ config, authorities: ca }) {
    if (config.systemMail === null)
      return [off("SYSTEM_MAIL_URL is not set: users are told of nothing by email")];
    const { relay, from } = config.systemMail;
    const dial = createNodeDial(ca === undefined ? {} : { ca });
    const mail = createMailTransport({
      smtp: {
        dial: createMailDial(config, dial, createDohDns({ fetch, ...config.dns })),
        ehloName: config.smtp.ehloName,
        maxConnections: 1,
        maxPerAccount: 1,
      },
      fetch,
      now: () => new Date(),
      endpoints: config.mailEndpoints,
    });
    try {
      const report = await mail.check({ kind: "smtp", ...relay }, from.email);
      return [
        report.ok
          ? ok(report.message)
          : fail(`the relay of SYSTEM_MAIL_URL: ${report.message}`, whereToFind("SYSTEM_MAIL_URL")),
      ];
    } finally {
      await mail.close();
    }
  },
};

/** By what way replies and bounces come back. */
export const inbound: Check = {
  part: "inbound mail",
  async run({ config }): Promise<Said[]> {
    if (config.inboundMx === null)
      return [
        off("INBOUND_MX is not set: bounces and replies go to the senders' own mailboxes alone"),
      ];
    const dns = createDohDns({ fetch, ...config.dns });
    const found = await dns.addresses(config.inboundMx);
    if (found.kind === "records") return [ok(`${config.inboundMx} is a mail host`)];
    const why = found.kind === "error" ? found.reason : "DNS knows no address of it";
    return [
      fail(
        `INBOUND_MX ${config.inboundMx}: ${why}`,
        "With Email Routing it is route1.mx.cloudflare.net: docs/deploying.md, Mail that comes back",
      ),
    ];
  },
};

/** Whether reports on other people's domains may come here (RFC 9990 section 4). */
export const reports: Check = {
  part: "reports",
  async run({ config }): Promise<Said[]> {
    const { reportsDomain } = config;
    if (reportsDomain === null)
      return [
        off(
          "REPORTS_DOMAIN is not set: receivers' reports on the sending domains are not asked for",
        ),
      ];
    const dns = createDohDns({ fetch, ...config.dns });
    const any = `any-domain.example._report._dmarc.${reportsDomain}`;
    const [mx, consent] = await Promise.all([
      dns.lookup(reportsDomain, "MX"),
      dns.lookup(any, "TXT"),
    ]);
    const said: Said[] = [];
    if (mx.kind !== "records")
      said.push(
        fail(
          `REPORTS_DOMAIN ${reportsDomain} has no MX record: no report can arrive`,
          "Let its mail come to the Worker: docs/deploying.md, Mail that comes back",
        ),
      );
    if (consent.kind !== "records" || !consent.records.some((text) => text.startsWith("v=DMARC1")))
      said.push(
        fail(
          `*._report._dmarc.${reportsDomain} is no TXT record: receivers will not report on other domains there`,
          `In the zone of ${reportsDomain}, add a TXT record named *._report._dmarc.${reportsDomain} with the value v=DMARC1`,
        ),
      );
    return said.length > 0 ? said : [ok(`${reportsDomain} takes reports on every domain`)];
  },
};

/** Asked without a signature: 401 says that the Worker has the secret, 503 that it has none. */
export const inboundPost: Check = {
  part: "inbound relay",
  needsWorker: true,
  async run({ config, ask }) {
    const reply = await ask(`${config.publicBaseUrl}/api/v1/mailer/inbound`, {
      method: "POST",
      headers: { "content-type": "message/rfc822" },
      body: "Subject: doctor\r\n\r\n",
    });
    const isTaken = reply.status === 400 || reply.status === 401;
    const isOff = reply.status === 503;
    if (config.inboundSecret === null)
      return [off("INBOUND_SECRET is not set: no relay may post mail (Email Routing needs none)")];
    if (isTaken) return [ok("mail that a relay posts and signs is taken")];
    return [
      fail(
        isOff
          ? "INBOUND_SECRET is in the file, and the Worker has none"
          : `/api/v1/mailer/inbound ${answerOf(reply)}`,
        "`npm run deploy` puts it.",
      ),
    ];
  },
};

export const verifier: Check = {
  part: "verifier",
  async run({ config: { verifier: settings }, ask }) {
    const { egress } = settings;
    if (egress === null) return [off("VERIFIER_EGRESS is not set: no addresses are verified")];
    if (egress.kind !== "prober") return [ok(`asks mail hosts by ${egress.kind}; not tried`)];
    const reply = await ask(`${egress.url}/health`);
    return [
      reply.status === 200
        ? ok("the prober answers")
        : fail(`PROBER_URL ${answerOf(reply)}`, "functions/smtp-prober/README.md"),
    ];
  },
};
