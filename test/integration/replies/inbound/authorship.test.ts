/** What a mail may end that names no message of ours: From alone is its writer's word. */
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { receiveMail } from "#src/domain/replies/inbound/receive.ts";
import { postMail, rawMail } from "../../../support/incoming.ts";
import { sending, tenant, useSending } from "../../../support/sending.ts";
import { conversations, reply, sentOne, suppressions } from "./inbound-setting.ts";

useSending();

/** From an address at a domain of its own, whose answers its workspace may read. */
async function wrote() {
  const sent = await sentOne();
  const alias = `max@d${randomUUID().slice(0, 8)}.zz`;
  await sending.api.sql.query("update mail_aliases set email = $2 where id = $1", [
    sent.aliasIds[0],
    alias,
  ]);
  return { ...sent, alias };
}

const LEAD = "lead1@example.zz";
const GENUINE = "Authentication-Results: mx.office.zz; dkim=pass header.d=example.zz; dmarc=pass";
const FORGED =
  "Authentication-Results: mx.office.zz; spf=pass smtp.mailfrom=evil.zz; dmarc=fail header.from=example.zz";
const bare = (to: string, more: object = {}) =>
  rawMail({ from: `Ada <${LEAD}>`, to, body: "Please remove me from your list.\r\n", ...more });
const classOfLast = async () => {
  const [{ id }] = await conversations();
  const { body } = await tenant.call("GET", `/api/v1/conversations/${id}`);
  return body.messages.at(-1).class as string;
};

describe("a wish for no more mail in a lead's name", () => {
  test.each([
    ["another's envelope", { from: "x@evil.zz" }, []],
    [
      "another's envelope, and the receiving host's word against it",
      { from: "x@evil.zz" },
      [FORGED],
    ],
    [
      "an envelope of the lead's, and the receiving host's word against it",
      { from: LEAD },
      [FORGED],
    ],
    ["another's Return-Path", { from: null }, ["Return-Path: <x@evil.zz>"]],
  ])("with %s ends the lead, and is for a person to judge", async (_, envelope, headers) => {
    const { alias, lead } = await wrote();
    const answer = await postMail(sending.api, bare(alias, { headers }), alias, envelope);
    expect(answer.body.matched_by).toBe("address");
    expect((await lead()).status).toBe("replied");
    expect(await suppressions()).toEqual([]);
    expect([await classOfLast(), (await conversations())[0].unread]).toEqual([
      "possible_opt_out",
      true,
    ]);
  });

  test("as a mail program's button sends it, with another's envelope, neither suppresses", async () => {
    const { alias, lead } = await wrote();
    const pressed = bare(alias, { subject: "unsubscribe", body: "" });
    await postMail(sending.api, pressed, alias, { from: "x@evil.zz" });
    expect((await lead()).status).toBe("replied");
    expect(await suppressions()).toEqual([]);
    expect(await classOfLast()).toBe("possible_opt_out");
  });

  test("suppresses no lead of whoever reads the alias's mailbox", async () => {
    const { alias, lead } = await wrote();
    const raw = new TextEncoder().encode(`Return-Path: <x@evil.zz>\r\n${FORGED}\r\n${bare(alias)}`);
    const { workspaceId } = tenant;
    await receiveMail(sending.api.deps, raw, { to: alias }, { workspaceId });
    expect((await lead()).status).toBe("replied");
    expect(await suppressions()).toEqual([]);
  });

  test.each([
    ["an envelope of the same organisation", { from: "bounces@mail.example.zz" }, []],
    ["no envelope that is known", { from: null }, []],
    [
      "another's envelope, and the receiving host's word for the author",
      { from: "srs@forwarder.zz" },
      [GENUINE],
    ],
  ])("with %s suppresses", async (_, envelope, headers) => {
    const { alias, lead } = await wrote();
    await postMail(sending.api, bare(alias, { headers }), alias, envelope);
    expect((await lead()).status).toBe("unsubscribed");
    expect(await suppressions()).toEqual([{ value: LEAD, reason: "unsubscribe" }]);
  });

  test("suppresses by whatever way it comes, where it names a message of ours", async () => {
    const { alias, messageId } = await wrote();
    const named = reply(alias, messageId, { body: "Please remove me from your list.\r\n" });
    await postMail(sending.api, `${FORGED}\r\n${named}`, alias, { from: "x@evil.zz" });
    expect(await suppressions()).toHaveLength(1);
  });
});

describe("an absence in a lead's name", () => {
  const DAY_MS = 86_400_000;
  test.each([
    ["another's envelope", 3, { from: "x@evil.zz" }],
    ["an envelope of the lead's", 60, { from: LEAD }],
    ["the null sender that responders use", 60, { from: "" }],
  ])("with %s and a date holds the next step back for %i days", async (_, days, envelope) => {
    const { alias, lead } = await wrote();
    const start = sending.api.deps.clock.now().getTime();
    const back = new Date(start + 60 * DAY_MS).toISOString().slice(0, 10);
    const away = bare(alias, {
      subject: "Out of office",
      headers: ["Auto-Submitted: auto-replied"],
      body: `I am out of the office, back on ${back}.`,
    });
    const { body } = await postMail(sending.api, away, alias, envelope);
    expect(body).toMatchObject({ class: "out_of_office", matched_by: "address" });
    const { status, next_action_at: next } = await lead();
    expect([status, Math.floor((next.getTime() - start) / DAY_MS)]).toEqual(["active", days]);
  });
});
