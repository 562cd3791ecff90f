import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { receiveMail } from "#src/domain/replies/inbound/receive.ts";
import type { Tenant } from "../../../support/api.ts";
import { postMail, rawMail } from "../../../support/incoming.ts";
import { sending, tenant, useSending } from "../../../support/sending.ts";

useSending();

const PERSON = "lead1@example.zz";
const WORDS = "Hello, about your mail: yes.";
const rowsOf = async (text: string, ...params: unknown[]) =>
  (await sending.api.sql.query(text, params)).rows;

/** A workspace that has written to the person from that address. */
async function wrote(who: Tenant, email: string) {
  const { campaignLeadIds, aliasIds } = await sending.campaign(who, {
    leads: 1,
    steps: [{ delayDays: 0 }, { delayDays: 1 }],
  });
  await sending.api.sql.query("update mail_aliases set email = $2 where id = $1", [
    aliasIds[0],
    email,
  ]);
  await sending.tick();
  return {
    who,
    status: async () => (await sending.leadOf(campaignLeadIds[0]!)).status as string,
    /** What its conversations have of the person. */
    heard: async () =>
      (
        await rowsOf(
          "select text from conversation_messages where workspace_id = $1 and direction = 'in'",
          who.workspaceId,
        )
      ).map(({ text }) => text.trim() as string),
    notices: async () =>
      (
        await rowsOf(
          "select 1 from outbox where workspace_id = $1 and kind = 'lead_reply'",
          who.workspaceId,
        )
      ).length,
  };
}

const domainName = () => `d${randomUUID().slice(0, 8)}.zz`;
async function ownsDomain(who: Tenant, domain: string, status = "verified", records = "[]") {
  await sending.api.sql.query(
    `insert into mail_domains (id, workspace_id, user_id, created_at, updated_at, domain, status, dkim_selector, dkim_public_key, dkim_private_key, records)
     values (gen_random_uuid(), $1, $2, $3, $3, $4, $5, 's', 'k', 'k', $6)`,
    [who.workspaceId, who.userId, sending.api.deps.clock.now(), domain, status, records],
  );
}

const bare = (to: string, body = WORDS) => rawMail({ from: `Ada <${PERSON}>`, to, body });
const post = (raw: string, to: string) => postMail(sending.api, raw, to, { from: PERSON });

/** Alpha wrote first; bravo made an alias with the same address and wrote last. */
async function rivals() {
  const domain = domainName();
  const address = `s@${domain}`;
  const alpha = await wrote(tenant, address);
  sending.api.advance(60);
  const bravo = await wrote(await sending.api.tenant(), address.toUpperCase());
  return { domain, address, alpha, bravo };
}

test("an answer goes to the workspace whose domain is verified, and stops the other's lead as well", async () => {
  const { domain, address, alpha, bravo } = await rivals();
  await ownsDomain(alpha.who, domain);
  await ownsDomain(bravo.who, domain, "pending");
  expect((await post(bare(address), address)).body).toMatchObject({ matched_by: "address" });
  expect([await alpha.status(), await alpha.heard(), await alpha.notices()]).toEqual([
    "replied",
    [WORDS],
    1,
  ]);
  expect([await bravo.status(), await bravo.heard(), await bravo.notices()]).toEqual([
    "replied",
    [],
    0,
  ]);
});

test("a domain above the address's own proves it too; one beside it does not", async () => {
  const parent = domainName();
  const address = `s@mail.${parent}`;
  const alpha = await wrote(tenant, address);
  const bravo = await wrote(await sending.api.tenant(), address);
  await ownsDomain(alpha.who, parent);
  await ownsDomain(bravo.who, `x${parent}`);
  await post(bare(address), address);
  expect([await alpha.heard(), await bravo.heard()]).toEqual([[WORDS], []]);
});

test("where nobody has proved the domain both leads stop, and neither reads the words", async () => {
  const { address, alpha, bravo } = await rivals();
  expect((await post(bare(address), address)).body.matched_by).toBe("address");
  expect([await alpha.status(), await bravo.status()]).toEqual(["replied", "replied"]);
  expect([await alpha.heard(), await bravo.heard()]).toEqual([[], []]);
});

test("a wish for no more mail is heard by everybody who wrote from the address", async () => {
  const { address, alpha, bravo } = await rivals();
  await post(bare(address, "Please remove me from your list.\r\n"), address);
  expect([await alpha.status(), await bravo.status()]).toEqual(["unsubscribed", "unsubscribed"]);
  for (const { who } of [alpha, bravo])
    expect(
      await rowsOf("select value from suppressions where workspace_id = $1", who.workspaceId),
    ).toEqual([{ value: PERSON }]);
});

test("a mailbox's own mail is its workspace's, whoever has an alias or a domain of that name", async () => {
  const { domain, address, alpha, bravo } = await rivals();
  await ownsDomain(bravo.who, domain);
  const bytes = new TextEncoder().encode(bare(address));
  const { workspaceId } = alpha.who;
  const result = await receiveMail(sending.api.deps, bytes, { to: address }, { workspaceId });
  expect(result.matchedBy).toBe("address");
  expect([await alpha.status(), await alpha.heard()]).toEqual(["replied", [WORDS]]);
  expect([await bravo.status(), await bravo.heard()]).toEqual(["active", []]);
});

test("words that nobody might read are read once a workspace's own mailbox brings them", async () => {
  const { address, alpha, bravo } = await rivals();
  const raw = bare(address);
  await post(raw, address);
  for (const { who, heard } of [alpha, bravo]) {
    const { workspaceId } = who;
    const bytes = new TextEncoder().encode(raw);
    for (let times = 0; times < 2; times++)
      await receiveMail(sending.api.deps, bytes, { to: address }, { workspaceId });
    expect(await heard()).toEqual([WORDS]);
  }
});

test("each of two workspaces that read one mailbox has what answers it", async () => {
  const { address, alpha, bravo } = await rivals();
  const bytes = new TextEncoder().encode(bare(address));
  for (const { who } of [bravo, alpha]) {
    const { workspaceId } = who;
    const result = await receiveMail(sending.api.deps, bytes, { to: address }, { workspaceId });
    expect(result).toMatchObject({ duplicate: false, matchedBy: "address" });
  }
  for (const { status, heard } of [alpha, bravo])
    expect([await status(), await heard()]).toEqual(["replied", [WORDS]]);
  // A mailbox that is read anew, and the same bytes by routing, bring nothing new to either.
  const { workspaceId } = alpha.who;
  const again = await receiveMail(sending.api.deps, bytes, { to: address }, { workspaceId });
  expect(again.duplicate).toBe(true);
  expect((await post(new TextDecoder().decode(bytes), address)).body.duplicate).toBe(true);
});

test("the same mail by routing and out of the inbox counts once, and stops the other all the same", async () => {
  const { domain, address, alpha, bravo } = await rivals();
  await ownsDomain(alpha.who, domain);
  const raw = bare(address);
  const asInInbox = new TextEncoder().encode(`Delivered-To: ${address}\r\n${raw}`);
  const { workspaceId } = alpha.who;
  await receiveMail(sending.api.deps, asInInbox, { to: address }, { workspaceId });
  await post(raw, address);
  expect(await alpha.heard()).toEqual([WORDS]);
  expect(await bravo.status()).toBe("replied");
  expect((await post(raw, address)).body.duplicate).toBe(true);
});

test.each([
  ["has proved the domain", (who: Tenant, domain: string) => ownsDomain(who, domain)],
  ["has named the domain", (who: Tenant, domain: string) => ownsDomain(who, domain, "pending")],
  [
    "takes answers at the domain",
    async (who: Tenant, domain: string) => {
      const { aliasIds } = await sending.campaign(who, { leads: 1 });
      await sending.api.sql.query("update mail_aliases set reply_to = $2 where id = $1", [
        aliasIds[0],
        `Office@${domain}`,
      ]);
    },
  ],
  [
    "has another alias at the domain",
    async (who: Tenant, domain: string) => {
      await wrote(who, `other@${domain}`);
    },
  ],
])(
  "who writes from an address whose domain another workspace %s reads no answers to it",
  async (_, claims) => {
    const domain = domainName();
    await claims(tenant, domain);
    const bravo = await wrote(await sending.api.tenant(), `s@${domain}`);
    await post(bare(`s@${domain}`), `s@${domain}`);
    expect([await bravo.status(), await bravo.heard()]).toEqual(["replied", []]);
  },
);

test("the mail of a deleted workspace is not for the next who names its address", async () => {
  const { address, alpha, bravo } = await rivals();
  await alpha.who.callAsUser("DELETE", "/api/v1/workspace");
  await post(bare(address), address);
  expect([await bravo.status(), await bravo.heard()]).toEqual(["replied", []]);
  expect(await alpha.heard()).toEqual([]);
});

test("the only workspace that uses a domain reads what answers it, proved or not", async () => {
  const address = `s@${domainName()}`;
  const alpha = await wrote(tenant, address);
  await post(bare(address), address);
  expect([await alpha.status(), await alpha.heard()]).toEqual(["replied", [WORDS]]);
});

test.each([
  ["ok", [WORDS]],
  ["missing", []],
])("a failing domain whose ownership record is %s", async (status, heard) => {
  const { domain, address, alpha } = await rivals();
  const seen = [{ purpose: "ownership", host: `_overture.${domain}`, found: [], status }];
  await ownsDomain(alpha.who, domain, "failing", JSON.stringify(seen));
  await post(bare(address), address);
  expect(await alpha.heard()).toEqual(heard);
});

test("a mail to thousands of addresses, long and nested ones among them, is taken", async () => {
  const { domain, address, alpha } = await rivals();
  await ownsDomain(alpha.who, domain);
  const many = Array.from({ length: 1_000 }, (_, index) => `p${index}@${"a.".repeat(60)}zz`);
  const odd = ["@", "a@b", `${"x".repeat(5_000)}@y.zz`, '"a@b"@c.zz', "a@%.zz", "a@{}.zz"];
  const raw = bare([...odd, ...many].join(",\r\n "));
  expect((await post(raw, address)).body.matched_by).toBe("address");
  expect(await alpha.heard()).toEqual([WORDS]);
});
