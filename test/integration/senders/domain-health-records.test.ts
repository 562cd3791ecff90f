import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { zoneFor } from "../../support/publish.ts";
import { api, tenant } from "../../support/use-api.ts";
import {
  alias,
  type Case,
  failingDns,
  health,
  nothing,
  PASSING,
  PATH,
  publish,
  reported,
  rule,
  sent,
  sessions,
  tryCases,
  useHealth,
  verified,
  verify,
  without,
  zoned,
} from "./domain-health-setting.ts";

useHealth();

describe("a rule that records and reports show", () => {
  tryCases([
    ...["spf", "dkim", "dmarc"].flatMap((name): Case[] => [
      [name, "ok", "it is published", nothing, / has v=/, null],
      [
        name,
        "failing",
        "it is taken out",
        zoned(without(name)),
        /has no such record/,
        /^In the zone/,
      ],
      [name, "unknown", "DNS gives no answer", failingDns, /DNS gave no answer/, /verified again/],
    ]),
    ["from_alignment", "ok", "no sender is elsewhere", nothing, /speaks for the From/, null],
    [
      ...(["from_alignment", "failing", "a policy is strict"] as const),
      async (made) => {
        await alias(made, { email: `x@mail.${made.domain}` });
        await zoned((own) => zoneFor(own).replace(/p=none/, "p=none; adkim=s"))(made);
      },
      /mail from mail\.health\d+\.zz is not aligned/,
      /adkim=s/,
    ],
    [
      "from_alignment",
      "unknown",
      "there is no policy",
      zoned(without("dmarc")),
      /one DMARC/,
      /dmarc/,
    ],
    [
      ...(["dmarc_alignment", "ok", "all of it passes"] as const),
      (made) => reported(made, [...PASSING, { ip: "8.8.4.9", messages: 90 }]),
      /200 of 290 messages passed DMARC as 2 receivers/,
      null,
    ],
    [
      ...(["dmarc_alignment", "failing", "a tool of the owner's does not pass"] as const),
      (made) => reported(made, [...PASSING, { operator: "mailer.zz", messages: 9 }]),
      /9 of 209 messages.*came from mailer\.zz/,
      /sign with DKIM/,
    ],
    [
      ...(["dmarc_alignment", "failing", "what this service sends is broken on its way"] as const),
      (made) =>
        reported(made, [...PASSING, { ip: "8.8.4.2", messages: 30, ours: 10, aligned: 10 }]),
      /20 of 230 messages.*came from this service/,
      /on its way/,
    ],
    [
      ...(["dmarc_alignment", "unknown", "one receiver speaks"] as const),
      (made) => reported(made, PASSING.slice(0, 1)),
      /1 receiver reported 150 messages/,
      /rua/,
    ],
    [
      "tls_replies",
      "ok",
      "sessions succeed",
      async (made) => {
        await sessions(made, "successful", 499);
        await sessions(made, "successful", 1, "two.zz");
      },
      /0 of 500/,
      null,
    ],
    [
      ...(["tls_replies", "failing", "certificates are old"] as const),
      async (made) => {
        await sessions(made, "successful", 99);
        await sessions(made, "certificate-expired", 1, "two.zz");
      },
      /1 of 100 sessions.*certificate-expired/,
      /Mend the certificates/,
    ],
    [
      ...(["tls_replies", "unknown", "one receiver reports, whoever that is"] as const),
      (made) => sessions(made, "certificate-expired", 500),
      /1 receiver reported 500 sessions: it takes 2 and 100/,
      /_smtp\._tls/,
    ],
    [
      ...(["tls_replies", "failing", "a report has words of its own for it"] as const),
      async (made) => {
        await sessions(made, "pay at evil.example", 50);
        await sessions(made, "pay at evil.example", 50, "two.zz");
      },
      /failed in TLS, by other: replies/,
      /Mend the certificates/,
    ],
    ["tls_replies", "unknown", "nobody reports", nothing, /No report on TLS/, /_smtp\._tls/],
  ]);
});

test("a sender that is not aligned leaves the policy as found, and hides no lack of one", async () => {
  const made = await verified();
  await alias(made, { email: `x@mail.${made.domain}` });
  await zoned((own) => zoneFor(own).replace(/p=none/, "p=none; adkim=s"))(made);
  expect(await rule(made, "dmarc")).toMatchObject({ status: "ok", what_to_do: null });
  expect((await rule(made, "from_alignment")).status).toBe("failing");
  await zoned((own) => `${zoneFor(own, ["dmarc"])}\n_dmarc.${own.domain}. TXT "v=DMARC1; p=maybe"`)(
    made,
  );
  expect(await rule(made, "dmarc")).toMatchObject({ status: "failing" });
  expect((await rule(made, "from_alignment")).status).toBe("unknown");
});

test("words of strangers in DNS are one line, cut, and turn no direction", async () => {
  const made = await verified();
  const text = `v=spf1 ${"a".repeat(400)}\u202e evil ip4:192.0.2.1 -all`;
  publish(made, zoneFor(made).replace(/"v=spf1 include[^"]*"/, `"${text.slice(0, 240)}"`));
  await verify(made);
  const found = await rule(made, "spf");
  expect(found.status).toBe("failing");
  expect(found.evidence.length).toBeLessThan(700);
  expect(found.evidence).not.toMatch(/[\u0000-\u001f\u202e]/);
});

test("a domain of another workspace, and none, are not found", async () => {
  const stranger = await api.tenant();
  const made = await verified();
  for (const [owner, id] of [
    [stranger, made.id],
    [tenant, randomUUID()],
  ] as const)
    expect((await health(id, owner)).status).toBe(404);
  // Its ledger and reports are its own.
  const same = (await stranger.call("POST", PATH, { domain: made.domain })).body;
  await sent(made, 100, { bounced: 50 });
  await reported(made, PASSING);
  const { body } = await health(same.id, stranger);
  for (const each of body.rules) expect(each.status).toBe("unknown");
});
