import { createNodeDial } from "../../../scripts/stack/node-dial.ts";
import {
  openSmtpSession,
  type SmtpSession,
  type SmtpSessionOptions,
} from "../../../src/providers/mail/smtp-client.ts";
import { createSmtpPool, type SmtpPoolOptions } from "../../../src/providers/mail/smtp.ts";
import {
  acceptAll,
  greet,
  localhostPem,
  type Sink,
  type SinkConnection,
  startSink,
} from "./raw-sink.ts";
import { patience } from "../../support/patience.ts";

export const dial = createNodeDial({ ca: localhostPem });
const opened: { close(): Promise<void> }[] = [];

/** Closes every sink, session and pool of the test. */
export async function closeAll(): Promise<void> {
  await Promise.all(opened.splice(0).map((each) => each.close()));
}

export async function sinkOf(
  serve: (connection: SinkConnection, index: number) => Promise<void> | void,
): Promise<Sink> {
  const sink = await startSink(serve);
  opened.push(sink);
  return sink;
}

/** One that greets with these extensions, and then does this. */
export const greeting = (
  extensions: string[] = [],
  serve: (connection: SinkConnection, index: number) => Promise<void> | void = acceptAll,
): Promise<Sink> =>
  sinkOf(async (connection, index) => {
    await greet(connection, ...extensions);
    await serve(connection, index);
  });

/** One that answers each line so, in turn, and then takes what comes. */
export const answering = (extensions: string[], ...replies: string[]): Promise<Sink> =>
  greeting(extensions, async (connection) => {
    for (const reply of replies) {
      await connection.line();
      connection.say(reply);
    }
    await acceptAll(connection);
  });

/** The product's own waits but for the farewell: a loaded machine is no peer that hangs. */
const timeouts = { quit: 50 };

const hangMs = patience(300);

/** For a peer that hangs: it costs its test 300 ms on a quiet machine. */
export const shortTimeouts = {
  connect: patience(2_000),
  greeting: hangMs,
  command: hangMs,
  dataStart: hangMs,
  dataBlock: hangMs,
  final: hangMs,
  quit: 50,
};

export async function openSession(
  sink: Sink,
  options: Partial<SmtpSessionOptions> = {},
): Promise<SmtpSession> {
  const session = await openSmtpSession(dial, {
    host: "localhost",
    port: sink.port,
    security: "none",
    ehloName: "client.test",
    timeouts,
    ...options,
  });
  opened.push({ close: () => session.quit() });
  return session;
}

export const letter = (
  id: string,
  text = `Subject: ${id}\r\n\r\nHello\r\n`,
  to = "lead@example.zz",
) => ({
  id,
  from: "me@sender.zz",
  to,
  raw: new TextEncoder().encode(text),
});

export function poolFor(sink: Sink, extra: Partial<SmtpPoolOptions> = {}) {
  const pool = createSmtpPool({ dial, ehloName: "client.test", timeouts, ...extra });
  opened.push(pool);
  const credentials = { host: "localhost", port: sink.port, security: "none" as const };
  return { pool, credentials };
}
