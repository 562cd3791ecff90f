import type { AddressInfo } from "node:net";
import PostalMime from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { afterEach, expect, test } from "vitest";
import { createNodeDial } from "../../../scripts/stack/node-dial.ts";
import { openSmtpSession } from "../../../src/providers/mail/smtp-client.ts";
import type { SmtpSecurity } from "../../../src/providers/mail/index.ts";
import { localhostPem } from "./raw-sink.ts";

interface Arrived {
  from: string;
  to: string[];
  raw: string;
  user: string | undefined;
  secure: boolean;
}

const servers: SMTPServer[] = [];
afterEach(async () => {
  await Promise.all(
    servers.splice(0).map((server) => new Promise<void>((done) => server.close(() => done()))),
  );
});

/** smtp-server as the peer: a second opinion on what we put on the wire. */
async function startServer(options: SMTPServerOptions = {}) {
  const arrived: Arrived[] = [];
  const server = new SMTPServer({
    key: localhostPem,
    cert: localhostPem,
    authMethods: ["PLAIN"],
    onAuth: (auth, _session, done) =>
      auth.username === "user@sender.zz" && auth.password === "pässwörd"
        ? done(null, { user: auth.username })
        : done(new Error("Invalid username or password")),
    onRcptTo: (address, _session, done) =>
      done(
        address.address.startsWith("nobody@")
          ? Object.assign(new Error("No such user"), { responseCode: 550 })
          : null,
      ),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        arrived.push({
          from: mailFrom ? mailFrom.address : "",
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString("latin1"),
          user: session.user as string | undefined,
          secure: session.secure,
        });
        done(null, `queued as ${arrived.length}`);
      });
    },
    ...options,
  });
  server.on("error", () => {});
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { arrived, port: (server.server.address() as AddressInfo).port };
}

const dial = createNodeDial({ ca: localhostPem });
const account = (port: number, security: SmtpSecurity, password = "pässwörd") => ({
  host: "localhost",
  port,
  security,
  username: "user@sender.zz",
  password,
});
const letter = (id: string, to = "lead@example.zz", body = "Hello\r\n.\r\n..two dots\r\n") => ({
  id,
  from: `bounce+${id}@sender.zz`,
  to,
  raw: new TextEncoder().encode(`Subject: ${id}\r\nMessage-ID: <${id}@sender.zz>\r\n\r\n${body}`),
});

for (const security of ["starttls", "tls"] as const) {
  test(`messages reach a server over ${security} with login and envelope, dots intact`, async () => {
    const { arrived, port } = await startServer({ secure: security === "tls" });
    const session = await openSmtpSession(dial, {
      ...account(port, security),
      ehloName: "client.test",
    });
    const results: string[] = [];
    await session.sendAll(
      [letter("a"), letter("b", "nobody@example.zz"), letter("c")],
      (id, { state }) => results.push(`${id} ${state}`),
    );
    await session.quit();
    expect(results).toEqual(["a accepted", "b rejected", "c accepted"]);
    expect(arrived).toMatchObject([
      { from: "bounce+a@sender.zz", to: ["lead@example.zz"], user: "user@sender.zz", secure: true },
      { from: "bounce+c@sender.zz", secure: true },
    ]);
    expect(arrived[0]!.raw).toBe(new TextDecoder().decode(letter("a").raw));
    const parsed = await PostalMime.parse(arrived[1]!.raw);
    expect(parsed.subject).toBe("c");
  });
}
