import { describe, expect, test } from "vitest";
import { adviceFor } from "../../../src/providers/mail/smtp-advice.ts";
import type { AccountStage } from "../../../src/providers/mail/index.ts";
import { lineTroubleOf } from "../../../src/providers/mail/smtp-line-trouble.ts";
import { createReplyParser } from "../../../src/providers/mail/smtp-replies.ts";

describe("the runtime's words about a connection", () => {
  const words: [string, "tls" | "line" | "opaque", RegExp][] = [
    [
      "Hostname/IP does not match certificate's altnames: Host: a.zz. is not in the cert's altnames: DNS:localhost",
      "tls",
      /another name/,
    ],
    [
      'invalid peer certificate: certificate not valid for name "127.0.0.1"; certificate is only valid for DnsName("localhost")',
      "tls",
      /another name/,
    ],
    ["invalid peer certificate: NotValidForName", "tls", /another name/],
    ["certificate has expired", "tls", /expired/],
    ["certificate is not yet valid", "tls", /not valid yet/],
    ["self-signed certificate", "tls", /self-signed/],
    ["self-signed certificate in certificate chain", "tls", /authority/],
    ["unable to verify the first certificate", "tls", /authority/],
    ["unable to get local issuer certificate", "tls", /authority/],
    ["invalid peer certificate: UnknownIssuer", "tls", /authority/],
    [
      "write EPROTO 80:error:0A00010B:SSL routines:tls_validate_record_header:wrong version number:record.c:80:",
      "tls",
      /starttls/,
    ],
    [
      "80:error:0A000102:SSL routines:ssl_choose_client_version:unsupported protocol",
      "tls",
      /no version of TLS/,
    ],
    ["connect ECONNREFUSED 127.0.0.1:1", "line", /nobody listens/],
    ["getaddrinfo ENOTFOUND smtp.exmaple.zz", "line", /spelling/],
    ["connect ENETUNREACH 2001:db8::1:587", "line", /no way/],
    ["connect ETIMEDOUT 192.0.2.1:587", "line", /in time/],
    ["no TLS handshake in time", "line", /in time/],
    ["read ECONNRESET", "line", /broke off/],
    [
      "Client network socket disconnected before secure TLS connection was established",
      "line",
      /broke off/,
    ],
  ];
  for (const [text, kind, advice] of words)
    test(`are understood: ${text.slice(0, 70)}`, () => {
      const trouble = lineTroubleOf(text);
      expect(trouble).toMatchObject({ kind, advice: expect.stringMatching(advice) });
    });

  test("of workerd say nothing, and nothing is made of them", () => {
    for (const text of [
      "proxy request failed, cannot connect to the specified address",
      "internal error; reference = 6okhai525hkvb0v8nd2nrfil",
    ])
      expect(lineTroubleOf(text)).toEqual({ kind: "opaque" });
  });
});

describe("the advice on a refusal", () => {
  const advise = (stage: AccountStage, reply: string, host = "smtp.example.zz") => {
    const parser = createReplyParser();
    parser.push(new TextEncoder().encode(`${reply}\r\n`));
    return adviceFor(stage, parser.take()!, host);
  };
  const cases: [AccountStage, string, RegExp, string?][] = [
    ["auth", "535 5.7.8 Error: authentication failed", /user name.*password/],
    [
      "auth",
      "535-5.7.8 Username and Password not accepted.\r\n535 5.7.8 https://support.google.com/mail/?p=BadCredentials",
      /Google takes only app passwords/,
      "smtp.gmail.com",
    ],
    ["auth", "535 5.7.0 Incorrect username or password", /app password/, "smtp.mail.yahoo.com"],
    ["auth", "534 5.7.9 Please log in with your web browser", /app password/],
    [
      "auth",
      "534-5.7.9 Application-specific password required. Learn more at\r\n534 5.7.9 https://support.google.com/mail/?p=InvalidSecondFactor",
      /wants an app password.*myaccount\.google\.com/,
    ],
    [
      "auth",
      "535 5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Mailbox.",
      /this mailbox.*administrator/,
    ],
    [
      "auth",
      "538 5.7.11 Encryption required for requested mechanism",
      /choose the security starttls/,
    ],
    ["auth", "454 4.7.0 Too many login attempts, please try again later.", /wait/],
    ["auth", "534 5.7.14 Please log in via your web browser", /Google has blocked/],
    [
      "auth",
      "535 5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Tenant.",
      /whole organisation/,
    ],
    [
      "auth",
      "535 5.7.139 Authentication unsuccessful, basic authentication is disabled.",
      /no passwords over SMTP/,
    ],
    [
      "auth",
      "535 5.7.139 Authentication unsuccessful, user is locked by your organization's security defaults policy.",
      /security defaults/,
    ],
    [
      "auth",
      "535 5.7.139 Authentication unsuccessful, the request did not meet the criteria",
      /Microsoft refused/,
    ],
    ["auth", "535 5.7.0 (#AUTH005) Too many bad auth attempts.", /takes none for now/],
    ["sender", "530 5.7.0 Must issue a STARTTLS command first", /security starttls/],
    ["sender", "530 5.7.0 Authentication required", /give user name and password/],
    ["sender", "553 5.7.1 Sender address rejected: not owned by user a", /send-as permission/],
    ["sender", "550 5.1.8 Sender domain unknown", /domain of the address/],
    ["sender", "451 4.7.1 Greylisting in action", /greylisting/],
    ["sender", "451 4.3.0 Try again", /temporary/],
    ["greeting", "421 4.7.0 Service not available", /busy/],
    ["greeting", "554 5.7.1 Your address is on a blocklist", /address is blocked/],
  ];
  for (const [stage, reply, words, host] of cases)
    test(`at ${stage} for "${reply.slice(0, 60)}"`, () => {
      expect(advise(stage, reply, host).advice).toMatch(words);
    });

  test("a limit of connections and greylisting pass by themselves, whatever the code", () => {
    expect(advise("greeting", "554 Too many concurrent connections").temporary).toBe(true);
    expect(advise("sender", "550 5.7.1 Greylisted").temporary).toBe(true);
    expect(advise("auth", "535 5.7.8 no").temporary).toBeUndefined();
  });
});
