import * as net from "node:net";
import * as tls from "node:tls";

/** An SMTP client that says exactly what it is told, for what a polite client never does. */
export interface RawSmtp {
  socket: net.Socket;
  /** Sends octets as they are. */
  write(text: string | Buffer): void;
  /** Sends one line and returns the reply to it. */
  say(line: string): Promise<string>;
  /** The next whole reply, its lines joined by LF; "" when the connection ends first. */
  reply(): Promise<string>;
  replies(count: number): Promise<string[]>;
  startTls(ca: string): Promise<void>;
  /** Greeting, EHLO and AUTH PLAIN; over TLS where a CA is given. */
  login(username: string, password: string, ca?: string): Promise<void>;
  close(): void;
}

export async function rawSmtp(port: number): Promise<RawSmtp> {
  let socket: net.Socket = net.connect(port, "127.0.0.1");
  let received = "";
  let ended = false;
  let wake = () => {};

  function listen() {
    socket.on("data", (bytes: Buffer) => {
      received += bytes.toString("latin1");
      wake();
    });
    const end = () => {
      ended = true;
      wake();
    };
    socket.on("error", end);
    socket.on("close", end);
    socket.on("end", end);
  }
  listen();
  await new Promise<void>((resolve) => socket.once("connect", resolve));

  const client: RawSmtp = {
    get socket() {
      return socket;
    },
    write: (text) => void socket.write(text),
    say(line) {
      socket.write(`${line}\r\n`);
      return client.reply();
    },
    async reply() {
      for (;;) {
        const whole = /^(?:\d{3}-[^\n]*\r\n)*\d{3} [^\n]*\r\n/.exec(received);
        if (whole !== null) {
          received = received.slice(whole[0].length);
          return whole[0].trimEnd().replaceAll("\r\n", "\n");
        }
        if (ended) return "";
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    async replies(count) {
      const all: string[] = [];
      for (let index = 0; index < count; index += 1) all.push(await client.reply());
      return all;
    },
    async startTls(ca) {
      socket.removeAllListeners();
      socket = tls.connect({ socket, ca, servername: "localhost" });
      listen();
      await new Promise<void>((resolve, reject) => {
        socket.once("secureConnect", resolve);
        socket.once("error", reject);
      });
    },
    async login(username, password, ca) {
      await client.reply();
      await client.say("EHLO test.example");
      if (ca !== undefined) {
        await client.say("STARTTLS");
        await client.startTls(ca);
        await client.say("EHLO test.example");
      }
      const secret = Buffer.from(`\0${username}\0${password}`).toString("base64");
      const answer = await client.say(`AUTH PLAIN ${secret}`);
      if (!answer.startsWith("235")) throw new Error(answer);
    },
    close: () => socket.destroy(),
  };
  return client;
}
