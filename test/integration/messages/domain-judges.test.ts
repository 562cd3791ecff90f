import { authenticate } from "mailauth";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Tenant } from "../../support/api.ts";
import { bounceMail, postMail, rawMail } from "../../support/incoming.ts";
import { type Publishable, zoneFor } from "../../support/publish.ts";
import { queryOf } from "../../support/query.ts";
import { type Sending, startSending } from "../../support/sending.ts";
import { nodeResolver } from "../../support/zone-lookup.ts";

const query = queryOf(() => sending.api.sql);

let sending: Sending;
let tenant: Tenant;
let domain: Publishable & { id: string };
let count = 0;
const PATH = "/api/v1/mailer/domains";

beforeAll(async () => {
  sending = await startSending();
  tenant = await sending.api.tenant();
  domain = (await tenant.call("POST", PATH, { domain: "sender.zz" })).body;
});
afterAll(() => sending.close());

const verify = async () => (await tenant.call("POST", `${PATH}/${domain.id}/verify`)).body.status;

/** One message through the engine, with its bytes as the mailbox took them. */
async function send(): Promise<{ raw: Buffer; from: string }> {
  await sending.reset();
  const { aliasIds } = await sending.campaign(tenant, {
    leads: 1,
    steps: [{ delayDays: 0 }, { delayDays: 1 }],
    domain: `inbox${count++}.zz`,
  });
  await query`update mail_aliases set domain_id = ${domain.id} where id = any(${aliasIds})`;
  expect(await sending.tick()).toMatchObject({ accepted: 1 });
  const [message] = await sending.mailbox.messages();
  const response = await fetch(new URL(message!.raw_url, sending.mailbox.url));
  return {
    raw: Buffer.from(await response.arrayBuffer()),
    from: sending.mailbox.wireLog().at(-1)!.envelope.from,
  };
}

/** mailauth's verdicts, with the zone as its DNS, for a message that came from this address. */
async function judge({ raw, from }: { raw: Buffer; from: string }, ip = "192.0.2.25") {
  const { dkim, spf, dmarc } = await authenticate(raw, {
    ip,
    helo: "relay.zz",
    sender: from,
    mta: "mx.judge.zz",
    resolver: nodeResolver(() => sending.api.dns.zones.get("sender.zz") ?? "") as never,
    disableArc: true,
    disableBimi: true,
  });
  return {
    dkim: dkim.results.map(({ algo, status }) => `${algo} ${status.result}`).toSorted(),
    aligned: dkim.results.map(({ status }) => status.aligned),
    spf: spf && spf.status.result,
    dmarc: dmarc && dmarc.status.result,
  };
}

test("a message is signed by both keys, passes SPF and DMARC, and fails when touched", async () => {
  sending.api.dns.zones.put("sender.zz", zoneFor(domain));
  expect(await verify()).toBe("verified");
  const message = await send();
  expect(await judge(message)).toEqual({
    dkim: ["ed25519-sha256 pass", "rsa-sha256 pass"],
    aligned: ["sender.zz", "sender.zz"],
    spf: "pass",
    dmarc: "pass",
  });
  // DKIM alone carries DMARC where the relay is not the domain's.
  expect(await judge(message, "198.51.100.1")).toMatchObject({ spf: "softfail", dmarc: "pass" });
  const text = message.raw.toString("latin1");
  for (const touched of [
    text.replace("Hello Lead", "Hallo Lead"),
    text.replace("Step 1", "Step 9"),
    text.replace(/\r\n\r\n/, "\r\nReply-To: <thief@evil.zz>\r\n\r\n"),
  ]) {
    expect(touched).not.toBe(text);
    const verdict = await judge(
      { ...message, raw: Buffer.from(touched, "latin1") },
      "198.51.100.1",
    );
    expect(verdict).toMatchObject({
      dkim: ["ed25519-sha256 fail", "rsa-sha256 fail"].map((one) =>
        expect.stringMatching(one.replace("fail", "(fail|neutral)")),
      ),
      dmarc: "fail",
    });
  }
});

test("the second signature waits until its key is published", async () => {
  const zone = zoneFor(domain).replace(/^.*-ed25519\._domainkey.*\n/m, "");
  sending.api.dns.zones.put("sender.zz", zone);
  expect(await verify()).toBe("verified");
  expect(await judge(await send())).toMatchObject({ dkim: ["rsa-sha256 pass"], dmarc: "pass" });
});

test("with its return path published, bounces come to an address of each message's own, which SPF is aligned with", async () => {
  sending.api.dns.zones.put("sender.zz", zoneFor(domain));
  expect(await verify()).toBe("verified");
  const message = await send();
  expect(message.from).toMatch(/^b\+[a-z2-7]{34}@bounce\.sender\.zz$/);
  // SPF alone carries DMARC then: without the signatures it passes too.
  const unsigned = message.raw
    .toString("latin1")
    .replace(/^DKIM-Signature:.*\r\n(\s.*\r\n)*/gm, "");
  expect(await judge({ ...message, raw: Buffer.from(unsigned, "latin1") })).toMatchObject({
    dkim: [expect.stringContaining("none")],
    spf: "pass",
    dmarc: "pass",
  });
  const to = message.from;
  const rows =
    await query`select l.id, l.email from campaign_leads l join sends s on s.campaign_lead_id = l.id where s.workspace_id = ${tenant.workspaceId} order by s.transmitting_at desc limit 1`;
  const report = bounceMail({
    to,
    recipient: rows[0].email,
    status: "5.1.1",
    diagnostic: "550 5.1.1 User unknown",
  });
  expect((await postMail(sending.api, report, to)).body.matched_by).toBe("token");
  expect((await sending.leadOf(rows[0].id)).status).toBe("bounced");
});

test("without its return path bounces come to the alias", async () => {
  sending.api.dns.zones.put("sender.zz", zoneFor(domain, ["return_path"]));
  expect(await verify()).toBe("verified");
  const message = await send();
  expect(message.from).toMatch(/^sender-.*@sender\.zz$/);
  expect(message.raw.toString()).not.toContain("mailto:");
});

test("the button of a mail program that writes a mail unsubscribes, and is no reply", async () => {
  sending.api.dns.zones.put("sender.zz", zoneFor(domain));
  await verify();
  const { raw } = await send();
  const header = /^List-Unsubscribe: (.*(?:\r\n\s.*)*)/m.exec(raw.toString())![1]!;
  const [, address, subject] = /<mailto:([^?]+)\?subject=(\w+)>/.exec(header)!;
  const rows =
    await query`select l.id, l.email from campaign_leads l join sends s on s.campaign_lead_id = l.id where s.workspace_id = ${tenant.workspaceId} order by s.transmitting_at desc limit 1`;
  const mail = rawMail({ from: rows[0].email, to: address!, subject: subject!, body: "" });
  expect((await postMail(sending.api, mail, address!, { from: rows[0].email })).status).toBe(200);
  expect((await sending.leadOf(rows[0].id)).status).toBe("unsubscribed");
  const sends =
    await query`select replied_at, unsubscribed_at from sends where campaign_lead_id = ${rows[0].id}`;
  expect(sends).toMatchObject([{ replied_at: null, unsubscribed_at: expect.any(Date) }]);
});

test("links go to the domain's own host once it leads here, which serves nothing else", async () => {
  const linkOf = (raw: Buffer) =>
    new URL(/href=3D"([^"]+\/c\/[^"]+)"/.exec(raw.toString().replace(/=\r\n/g, ""))![1]!);
  sending.api.dns.zones.put("sender.zz", zoneFor(domain, ["tracking"]));
  expect(await verify()).toBe("verified");
  expect(linkOf((await send()).raw).hostname).toBe("overture.test");
  sending.api.dns.zones.put("sender.zz", zoneFor(domain));
  expect(await verify()).toBe("verified");
  const link = linkOf((await send()).raw);
  expect(link.host).toBe("link.sender.zz:8787");
  const click = await sending.api.request(link.href, { redirect: "manual" });
  expect(click.headers.get("location")).toBe("https://example.com/1");
  for (const path of ["/health", "/api/v1/workspace", "/docs", "/functions/campaign-tick"])
    expect((await sending.api.request(new URL(path, link).href)).status).toBe(404);
  expect((await sending.api.request("/health")).status).toBe(200);
});
