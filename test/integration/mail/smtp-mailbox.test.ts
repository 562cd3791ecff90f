import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createLocalCertificate } from "../../../scripts/stack/certificate.ts";
import { type Mailbox, startMailbox } from "../../../scripts/stack/mailbox/mailbox.ts";
import { createNodeDial } from "../../../scripts/stack/node-dial.ts";
import { createSmtpPool } from "../../../src/providers/mail/smtp.ts";
import { closeAll, letter } from "./smtp-setting.ts";

const certificate = createLocalCertificate();
const login = { username: "sender@overture.zz", password: "pässwörd €" };
let mailbox: Mailbox;
let pool: ReturnType<typeof createSmtpPool>;

beforeAll(async () => {
  mailbox = await startMailbox({ ...login, tls: certificate });
  pool = createSmtpPool({ dial: createNodeDial({ ca: certificate.ca }), ehloName: "client.test" });
});
beforeEach(() => {
  mailbox.clear();
  mailbox.faults.clear();
});
afterAll(async () => {
  await pool.close();
  await mailbox.close();
  await closeAll();
});

/** The stack's mailbox offers PIPELINING and CHUNKING, so that this is BDAT. */
const send = (id: string, to?: string, text?: string) => {
  const { port } = mailbox.smtp;
  const account = { host: "localhost", port, security: "starttls" as const, ...login };
  return pool.send(account, letter(id, text, to));
};

async function stored(): Promise<string[]> {
  const messages = await mailbox.messages();
  return Promise.all(
    messages.map(async ({ raw_url: url }) => (await fetch(url)).arrayBuffer()),
  ).then((bodies) => bodies.map((body) => Buffer.from(body).toString("utf8")));
}

test("what is sent in chunks is stored byte for byte, dots, umlauts and megabytes included", async () => {
  const texts = [
    "Subject: dots\r\n\r\n.\r\n..\r\n.x\r\n",
    "Subject: umlauts\r\n\r\nGrüße €\r\n",
    `Subject: large\r\n\r\n${`.${"x".repeat(900)}\r\n`.repeat(3_000)}`,
  ];
  for (const [index, text] of texts.entries())
    expect(await send(String(index), undefined, text)).toMatchObject({ state: "accepted" });
  expect((await stored()).toSorted()).toEqual(texts.toSorted());
});

test("a line that is cut once the message is stored leaves it unknown, and there is one copy", async () => {
  mailbox.faults.order("close_after_dot", 1);
  expect(await send("a")).toMatchObject({ state: "unknown" });
  expect(await stored()).toHaveLength(1);
  expect(await send("b")).toMatchObject({ state: "accepted" });
});
