import * as net from "node:net";
import { domainToASCII } from "node:url";
import type { Farm } from "../../../scripts/stack/farm.ts";

/** A client that reads anything: LF alone, octets beyond ASCII, replies that are none. */
export interface FarmClient {
  socket: net.Socket;
  /** The next whole reply, its lines joined by LF, octets as Latin-1; "" when the connection ends first. */
  reply(): Promise<string>;
  say(line: string): Promise<string>;
  /** All that came, as it came, once the other side has closed. */
  rest(): Promise<string>;
  /** What broke the connection, once it is closed: a code such as ECONNRESET, or "" for an orderly end. */
  ended(): Promise<string>;
  close(): void;
}

export function connectFarm(farm: Farm, host: string): FarmClient {
  const socket = net.connect(farm.ports[host]!, "127.0.0.1");
  let received = "";
  let fault = "";
  let wake = () => {};
  socket.setEncoding("latin1");
  socket.on("data", (text: string) => {
    received += text;
    wake();
  });
  socket.on("error", (error: NodeJS.ErrnoException) => {
    fault = error.code ?? error.message;
  });
  const closed = new Promise<void>((resolve) => {
    socket.once("close", () => {
      resolve();
      wake();
    });
  });
  async function reply(): Promise<string> {
    for (;;) {
      const whole = /^(?:\d{3}-[^\n]*\n)*\d{3}(?: [^\n]*)?\r?\n/.exec(received);
      if (whole !== null) {
        received = received.slice(whole[0].length);
        return whole[0].replaceAll("\r", "").trimEnd();
      }
      if (socket.closed) return "";
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  return {
    socket,
    reply,
    say(line) {
      socket.write(`${line}\r\n`);
      return reply();
    },
    rest: () => closed.then(() => received),
    ended: () => closed.then(() => fault),
    close: () => socket.destroy(),
  };
}

export const SENDER = "probe@overture.zz";

/** The domain as SMTP without SMTPUTF8 has it. */
function onTheWire(address: string): string {
  const at = address.lastIndexOf("@");
  return `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1))}`;
}

/** As far as RCPT in a session of its own; "" where the host ended it before. */
export async function askFor(farm: Farm, host: string, address: string): Promise<string> {
  const client = connectFarm(farm, host);
  try {
    if (!(await client.reply()).startsWith("220")) return "";
    let greeting = await client.say("EHLO probe.overture.zz");
    if (greeting.startsWith("5")) greeting = await client.say("HELO probe.overture.zz");
    if (!greeting.startsWith("250")) return "";
    const to = onTheWire(address);
    const parameters = /[^\p{ASCII}]/u.test(to) && greeting.includes("SMTPUTF8") ? " SMTPUTF8" : "";
    let mail = await client.say(`MAIL FROM:<${SENDER}>${parameters}`);
    if (mail.startsWith("5")) mail = await client.say("MAIL FROM:<>");
    if (!mail.startsWith("250")) return mail;
    return await client.say(`RCPT TO:<${to}>`);
  } finally {
    client.close();
  }
}
