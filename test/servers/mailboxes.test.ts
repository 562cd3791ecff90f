import { ImapFlow } from "imapflow";
import { createTransport } from "nodemailer";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canRun, DOMAINS, type Servers, startServers } from "./setting.ts";

const ANN = `ann@${DOMAINS.senders}`;
const PASSWORD = "s3cret";
let servers: Servers;

describe.runIf(canRun)("Postfix and Dovecot", () => {
  beforeAll(async () => {
    servers = await startServers({ [ANN]: PASSWORD, [`bob@${DOMAINS.senders}`]: "other" });
  });
  afterAll(() => servers?.close());

  const submit = (auth: { user: string; pass: string }, to: string) => {
    const { host, port } = servers.postfix.smtp;
    const transport = createTransport({
      host,
      port,
      requireTLS: true,
      tls: { ca: servers.ca },
      auth,
    });
    return transport.sendMail({ from: ANN, to, subject: "Hello", text: "Hi" });
  };
  const open = async (auth: { user: string; pass?: string; accessToken?: string }) => {
    const client = new ImapFlow({
      ...servers.dovecot.imap,
      secure: true,
      tls: { ca: servers.ca },
      auth,
      logger: false,
    });
    client.on("error", () => {});
    try {
      await client.connect();
      return await client.mailboxOpen("INBOX", { readOnly: true });
    } finally {
      client.close();
    }
  };

  test("what is submitted with a login lies in a mailbox, and nothing is taken without", async () => {
    await submit({ user: ANN, pass: PASSWORD }, ANN);
    await expect.poll(() => servers.mailOf(ANN)).toHaveLength(1);
    await expect(submit({ user: ANN, pass: "wrong" }, ANN)).rejects.toThrow("535");
    await expect(submit({ user: ANN, pass: PASSWORD }, `gone@${DOMAINS.senders}`)).rejects.toThrow(
      "5.1.1",
    );
    expect(await open({ user: ANN, pass: PASSWORD })).toMatchObject({ exists: 1 });
  });

  test("an access token opens its own mailbox, and no other, while it is in force", async () => {
    servers.tokens.set(ANN, "ya29.one");
    expect(await open({ user: ANN, accessToken: "ya29.one" })).toMatchObject({ path: "INBOX" });
    await expect(
      open({ user: `bob@${DOMAINS.senders}`, accessToken: "ya29.one" }),
    ).rejects.toMatchObject({ authenticationFailed: true });
    servers.tokens.delete(ANN);
    await expect(open({ user: ANN, accessToken: "ya29.one" })).rejects.toMatchObject({
      authenticationFailed: true,
    });
  });
});
