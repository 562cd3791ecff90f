import { expect, test } from "vitest";
import type { Bounce } from "#src/domain/replies/inbound/bounce-kinds.ts";
import { classified, notice, ofParts, type MailInput } from "./mails.ts";

const kinds = async (input: MailInput) =>
  ((await classified(input)) as Bounce).recipients.map(({ recipient, kind, category }) => [
    recipient,
    kind,
    category,
  ]);

const EACH = [
  ["ann@lead.zz", "hard", "no_such_user"],
  ["joann@lead.zz", "soft", "mailbox_full"],
];

/** A report that gives no reasons, with a human part that does. */
const report = (words: string, status = "5.0.0") =>
  ofParts("multipart/report; report-type=delivery-status", [
    `Content-Type: text/plain\n\n${words}`,
    `Content-Type: message/delivery-status\n\nReporting-MTA: dns; mx.zz\n\nFinal-Recipient: rfc822; ann@lead.zz\nAction: failed\nStatus: ${status}\n\nFinal-Recipient: rfc822; joann@lead.zz\nAction: failed\nStatus: ${status}\n`,
  ]);

const ONE_BY_ONE = `Your message could not be delivered:

<ann@lead.zz>: 550 5.1.1 no such user here

<joann@lead.zz>: 552 5.2.2 mailbox is full`;
const OTHER_WAY_ROUND = `Your message could not be delivered:

<joann@lead.zz>:
    mailbox is full

<ann@lead.zz>:
    no such user here`;

test.each([ONE_BY_ONE, OTHER_WAY_ROUND])(
  "two recipients whose reasons stand in the human part alone get one each: %s",
  async (words) => {
    expect((await kinds(report(words))).toSorted()).toEqual(EACH);
    expect((await kinds(notice(words))).toSorted()).toEqual(EACH);
  },
);

test("recipients of a report without an empty line between them are two", async () => {
  const words = "<ann@lead.zz>: no such user here\n\n<joann@lead.zz>: mailbox is full";
  const { body, ...input } = report(words);
  const joined = body!.replace(
    "\n\nFinal-Recipient: rfc822; joann",
    "\nFinal-Recipient: rfc822; joann",
  );
  expect((await kinds({ ...input, body: joined })).toSorted()).toEqual(EACH);
});

test("codes in the human part are each recipient's own", async () => {
  const words = `<ann@lead.zz>: 550 5.1.1 sorry\n\n<joann@lead.zz>: 552 5.2.2 sorry`;
  expect(await kinds(report(words))).toEqual(EACH);
});

test("one's reason is not the other's, of whom nothing is said", async () => {
  const words = "<ann@lead.zz>: no such user here\n\n<joann@lead.zz>: sorry";
  for (const input of [report(words), notice(words)])
    expect((await kinds(input)).map(([, kind]) => kind)).toEqual(["hard", "soft"]);
});

test("a reason that names nobody is everybody's", async () => {
  const words = "The mailbox is full of:\n\n<ann@lead.zz>\n<joann@lead.zz>";
  expect((await kinds(report(words))).map(([, kind]) => kind)).toEqual(["soft", "soft"]);
  expect((await kinds(notice(words))).map(([, kind]) => kind)).toEqual(["soft", "soft"]);
});

test("what was said on the wire to one says nothing about the other", async () => {
  const words = `>>> MAIL From:<sam@sender.zz>
<<< 501 not from you
554 <bob@elsewhere.zz>... Remote protocol error
>>> RCPT To:<ann@lead.zz>
550 <ann@lead.zz>... User unknown`;
  const found = await kinds(notice(words));
  expect(found).toContainEqual(["ann@lead.zz", "hard", "no_such_user"]);
});
