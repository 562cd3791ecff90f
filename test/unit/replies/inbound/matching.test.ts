import * as fc from "fast-check";
import { expect, test } from "vitest";
import { classifyInbound } from "#src/domain/replies/inbound/classify.ts";
import { bareSubject, matchKeys, maySuppress } from "#src/domain/replies/inbound/matching.ts";
import { createReturnPathTokens } from "#src/domain/senders/return-path-token.ts";
import { mail, notice, report, type MailInput } from "./mails.ts";

const SEND = "018f3c1e-7a10-7c3f-9d20-1234567890ab";
const tokens = createReturnPathTokens(["secret"]);

async function keysOf(input: MailInput, envelopeTo: string[] = []) {
  const read = await mail(input);
  return matchKeys(read, classifyInbound(read), tokens, envelopeTo);
}

test("a return path names its send, in any case and spelling of a mail system", async () => {
  const address = await tokens.address(SEND, "bounce.sender.zz");
  expect(address).toMatch(/^b\+[a-z2-7]{34}@bounce\.sender\.zz$/);
  for (const each of [
    address,
    address.toUpperCase(),
    `<${address}>`,
    address.replace("+", "."),
    address.replace("+", "-"),
  ])
    expect(await tokens.read(each)).toBe(SEND);
});

test("every send comes back from its return path", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uuid(), async (uuid) => {
      expect(await tokens.read(await tokens.address(uuid, "b.zz"))).toBe(uuid);
    }),
    { numRuns: 100 },
  );
});

test("no changed character of a token is accepted", async () => {
  const address = await tokens.address(SEND, "b.zz");
  for (let at = 2; at < 36; at++) {
    const other = address[at] === "a" ? "b" : "a";
    expect(await tokens.read(address.slice(0, at) + other + address.slice(at + 1))).toBeNull();
  }
});

test("another secret's return path is a stranger's, a retired one's is not", async () => {
  const old = await createReturnPathTokens(["old"]).address(SEND, "b.zz");
  expect(await tokens.read(old)).toBeNull();
  expect(await createReturnPathTokens(["secret", "old"]).read(old)).toBe(SEND);
});

test.each([
  "",
  "b+@b.zz",
  "b+short@b.zz",
  `b+${"1".repeat(34)}@b.zz`,
  `b+${"a".repeat(5_000)}@b.zz`,
  "\0",
])("%j is no return path", async (address) => {
  expect(await tokens.read(address)).toBeNull();
});

test("the token of the envelope comes before any Message-ID", async () => {
  const address = await tokens.address(SEND, "bounce.sender.zz");
  expect(await keysOf(report({ status: "5.1.1" }), [address])).toEqual([
    { by: "token", sendId: SEND },
    { by: "message_id", messageId: "0123abc@sender.zz", found: "original" },
  ]);
});

test("the token is found in the headers of delivery and in the returned message", async () => {
  const address = await tokens.address(SEND, "bounce.sender.zz");
  expect(await keysOf({ headers: [`Delivered-To: ${address}`] })).toContainEqual({
    by: "token",
    sendId: SEND,
  });
  const input = notice("Could not deliver to <ann@lead.zz>: user unknown");
  const body = input.body!.replace("b+token@bounce.sender.zz", address);
  expect(await keysOf({ ...input, body })).toContainEqual({ by: "token", sendId: SEND });
});

test("a reply is matched by what it answers, the newest first, and by its writer last", async () => {
  const headers = [
    "In-Reply-To: <2@sender.zz>",
    "References: <1@sender.zz> <2@sender.zz> <3@sender.zz>",
  ];
  expect(await keysOf({ subject: "Re: AW: Question", headers, body: "Yes" })).toEqual([
    { by: "message_id", messageId: "2@sender.zz", found: "in_reply_to" },
    { by: "message_id", messageId: "3@sender.zz", found: "references" },
    { by: "message_id", messageId: "1@sender.zz", found: "references" },
    { by: "address", address: "ann@lead.zz", subject: "question" },
  ]);
});

test.each([
  ["Info@Bücher.zz", "info@xn--bcher-kva.zz"],
  ["Jose\u0301@lead.zz", "jos\u00e9@lead.zz"],
])("a writer %s is looked up as the ledger names them", async (from, address) => {
  expect(await keysOf({ from: `Ann <${from}>`, body: "Yes" })).toEqual([
    { by: "address", address, subject: "question" },
  ]);
});

test("a bounce without our token or Message-ID suppresses nobody", async () => {
  const words =
    "Could not deliver:\n\n<ann@lead.zz>:\nSorry, no mailbox here by that name. (#5.1.1)";
  const stranger = { ...notice(words), body: words };
  expect(classifyInbound(await mail(stranger)).class).toBe("bounce");
  expect((await keysOf(stranger, ["b+forged@bounce.sender.zz"])).filter(maySuppress)).toEqual([]);
});

test.each([
  ["eu-west-1", "0102-a@eu-west-1.amazonses.com"],
  ["us-east-1", "0102-a@email.amazonses.com"],
])(
  "Amazon's notification names the message as SES called it in %s, and as it was sent",
  async (region, messageId) => {
    const body = JSON.stringify({
      notificationType: "Bounce",
      bounce: { bouncedRecipients: [{ emailAddress: "ann@lead.zz", status: "5.1.1" }] },
      mail: {
        messageId: "0102-a",
        sourceArn: `arn:aws:ses:${region}:123456789012:identity/sender.zz`,
        commonHeaders: { messageId: "<as-it-was-sent@sender.zz>" },
      },
    });
    const notification = { from: "no-reply@sns.amazonaws.com", body };
    const asItWasSent = {
      by: "message_id",
      messageId: "as-it-was-sent@sender.zz",
      found: "original",
    };
    expect(await keysOf(notification)).toEqual([{ ...asItWasSent, messageId }, asItWasSent]);
    const nowhere = { ...notification, body: body.replace("arn:aws:ses", "arn:aws:x") };
    expect(await keysOf(nowhere)).toEqual([asItWasSent]);
  },
);

test("the writer's address alone never suppresses", async () => {
  const keys = await keysOf({ body: "stop" });
  expect(keys).toHaveLength(1);
  expect(keys.filter(maySuppress)).toEqual([]);
});

test("a thousand references cost forty keys", async () => {
  const ids = Array.from({ length: 1_000 }, (_, at) => `<${at}@x.zz>`).join("\n ");
  expect((await keysOf({ headers: [`References: ${ids}`] })).length).toBeLessThanOrEqual(41);
});

test.each([
  ["Re: Question", "question"],
  ["RE: AW: Fwd: [list] Question", "question"],
  ["Re[2]: Question", "question"],
  ["回复： Question", "question"],
  ["Regarding: this", "regarding: this"],
  ["Re:", ""],
])("the bare subject of %j is %j", (subject, bare) => {
  expect(bareSubject(subject)).toBe(bare);
});
