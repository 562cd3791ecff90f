import { createTransport } from "nodemailer";
import type {
  OutgoingRaw,
  SendResult,
  SmtpCredentials,
} from "../../../src/providers/mail/index.ts";
import { openSmtpSession } from "../../../src/providers/mail/smtp-client.ts";
import { createSmtpPool } from "../../../src/providers/mail/smtp.ts";
import { createNodeDial } from "../../../scripts/stack/node-dial.ts";
import {
  composeLetter,
  dkimOfNodemailer,
  letterForNodemailer,
  recipientOf,
  SENDER,
} from "./letter.ts";
import { SINK_LOGIN } from "./sink.ts";

export const CONNECTIONS = 5;
/** Letters that the pool has at once: one that travels and one that waits for each connection. */
const IN_HAND = 2 * CONNECTIONS;
/** How many letters `sessions` hands over at once; while they travel, the next ones are written. */
const BATCH = 20;
/** Unanswered messages where the server offers CHUNKING. */
const WINDOW = 4;

/**
 * Opens its connections, then writes, signs and sends so many letters. Resolves once the last is
 * accepted, with what closes the connections; throws unless all were accepted.
 */
export interface Sender {
  name: string;
  send(port: number, letters: number): Promise<() => Promise<void>>;
}

const dial = createNodeDial();
const credentialsFor = (port: number): SmtpCredentials => ({
  host: "localhost",
  port,
  security: "starttls",
  ...SINK_LOGIN,
});

/** nodemailer's pool, DKIM signed by nodemailer; its queue holds all letters from the start. */
export const nodemailerPool: Sender = {
  name: "nodemailer",
  async send(port, letters) {
    const transport = createTransport({
      pool: true,
      maxConnections: CONNECTIONS,
      // By default it would open new connections after 100 messages each.
      maxMessages: Number.POSITIVE_INFINITY,
      host: "localhost",
      port,
      requireTLS: true,
      auth: { user: SINK_LOGIN.username, pass: SINK_LOGIN.password },
      dkim: dkimOfNodemailer,
    });
    const sent = Array.from({ length: letters }, (_, number) =>
      transport.sendMail(letterForNodemailer(number)),
    );
    for (const { accepted } of await Promise.all(sent))
      if (accepted.length !== 1) throw new Error("nodemailer: a letter was not accepted");
    return async () => transport.close();
  },
};

/** Our pool as the engine uses it: each `send` is one message, whole, before the connection takes another. */
export const ourPool: Sender = {
  name: "pool",
  async send(port, letters) {
    const pool = createSmtpPool({
      dial,
      ehloName: "client.zz",
      maxConnections: CONNECTIONS,
      maxPerAccount: CONNECTIONS,
    });
    const credentials = credentialsFor(port);
    const next = counter(letters);
    const work = async () => {
      for (let number = next(); number !== null; number = next())
        requireAccepted(await pool.send(credentials, await outgoing(number)));
    };
    await Promise.all(Array.from({ length: IN_HAND }, work));
    return () => pool.close();
  },
};

/** Our sessions, each with many messages in hand: envelopes ride with bodies, and BDAT where it is offered. */
export const ourSessions: Sender = {
  name: "sessions",
  async send(port, letters) {
    const next = counter(letters);
    const batch = async () => {
      const letters: OutgoingRaw[] = [];
      while (letters.length < BATCH) {
        const number = next();
        if (number === null) break;
        letters.push(await outgoing(number));
      }
      return letters;
    };
    const open = async () => {
      let writing = batch();
      const session = await openSmtpSession(dial, {
        ...credentialsFor(port),
        ehloName: "client.zz",
        window: WINDOW,
      });
      for (let ready = await writing; ready.length > 0; ready = await writing) {
        writing = batch();
        await session.sendAll(ready, (_, result) => requireAccepted(result));
      }
      return session;
    };
    const sessions = await Promise.all(Array.from({ length: CONNECTIONS }, open));
    return async () => {
      await Promise.all(sessions.map((session) => session.quit()));
    };
  },
};

async function outgoing(number: number): Promise<OutgoingRaw> {
  const { raw } = await composeLetter(number);
  return { id: String(number), from: SENDER, to: recipientOf(number), raw };
}

function requireAccepted(result: SendResult): void {
  if (result.state !== "accepted") throw new Error(`not accepted: ${JSON.stringify(result)}`);
}

function counter(end: number): () => number | null {
  let at = 0;
  return () => (at < end ? at++ : null);
}
