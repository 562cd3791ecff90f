import { readFileSync } from "node:fs";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { TLSSocket } from "node:tls";

/** Key and certificate of `localhost`, made for these tests only. */
export const localhostPem = readFileSync(
  new URL("./fixtures/localhost.pem", import.meta.url),
  "utf8",
);

/** Key and self-signed certificate of `localhost` that expired in 2024. */
export const expiredPem = readFileSync(new URL("./fixtures/expired.pem", import.meta.url), "utf8");

export interface ServerPem {
  key: string;
  cert: string;
}

/** One connection to a peer that misbehaves exactly as the test says. */
export interface SinkConnection {
  /** Lines received so far, in order, across TLS. */
  readonly received: string[];
  /** The next line, or null when the client has gone. */
  line(): Promise<string | null>;
  /** Lines up to a lone dot, which is not part of the answer; null when the client left before it. */
  body(): Promise<string[] | null>;
  /** So many bytes as they are, in Latin-1; null when the client left before it. */
  bytes(count: number): Promise<string | null>;
  /** How many bytes have arrived that nobody has read. */
  waiting(): number;
  say(...lines: string[]): void;
  sayRaw(bytes: string | Uint8Array): void;
  /** FIN: the client reads to the end. */
  end(): void;
  /** RST. */
  reset(): void;
  /** `pem` is the certificate of `localhost` if absent. */
  startTls(pem?: ServerPem): void;
  /** Reads nothing more, so that the client feels back-pressure. */
  stopReading(): void;
  /** Resolves when the client has gone. */
  left: Promise<void>;
}

export interface Sink {
  port: number;
  /** Every connection so far. */
  connections: SinkConnection[];
  close(): Promise<void>;
}

/** A TCP peer on loopback that runs `serve` for each connection; nothing is said by itself. */
export async function startSink(
  serve: (connection: SinkConnection, index: number) => Promise<void> | void,
): Promise<Sink> {
  const connections: SinkConnection[] = [];
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    const connection = wrap(socket);
    connections.push(connection);
    void serve(connection, connections.length - 1);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    connections,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

function wrap(plain: Socket): SinkConnection {
  let socket: Socket = plain;
  let buffered = "";
  let gone = false;
  let wake = () => {};
  const received: string[] = [];
  let leave = () => {};
  const left = new Promise<void>((resolve) => (leave = resolve));
  const attach = () => {
    socket.on("data", (chunk: Buffer) => {
      buffered += chunk.toString("latin1");
      wake();
    });
    for (const event of ["end", "close", "error"])
      socket.on(event, () => {
        gone = true;
        wake();
        leave();
      });
  };
  attach();

  async function line(): Promise<string | null> {
    for (;;) {
      const end = buffered.indexOf("\r\n");
      if (end >= 0) {
        const text = buffered.slice(0, end);
        buffered = buffered.slice(end + 2);
        received.push(text);
        return text;
      }
      if (gone) return null;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  }

  return {
    received,
    line,
    async body() {
      const lines: string[] = [];
      for (;;) {
        const text = await line();
        if (text === null) return null;
        if (text === ".") return lines;
        lines.push(text);
      }
    },
    async bytes(count) {
      for (;;) {
        if (buffered.length >= count) {
          const text = buffered.slice(0, count);
          buffered = buffered.slice(count);
          return text;
        }
        if (gone) return null;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
    waiting: () => buffered.length,
    left,
    stopReading: () => void socket.pause(),
    say: (...lines) => void socket.write(lines.map((text) => `${text}\r\n`).join("")),
    sayRaw: (bytes) => void socket.write(bytes),
    end: () => void socket.end(),
    reset: () => void socket.resetAndDestroy(),
    startTls(pem = { key: localhostPem, cert: localhostPem }) {
      socket.removeAllListeners("data");
      socket = new TLSSocket(plain, { isServer: true, ...pem });
      attach();
    },
  };
}

/** 220, then the answer to EHLO with these extensions. */
export async function greet(connection: SinkConnection, ...extensions: string[]): Promise<void> {
  connection.say("220 sink ready");
  await connection.line();
  await answerEhlo(connection, ...extensions);
}

/** The 250 alone, for a line already read. */
export async function answerEhlo(
  connection: SinkConnection,
  ...extensions: string[]
): Promise<void> {
  const lines = ["sink", ...extensions];
  connection.say(
    ...lines.map((text, index) => `250${index === lines.length - 1 ? " " : "-"}${text}`),
  );
}

/** MAIL and RCPT answered 250 and DATA 354. */
export async function takeEnvelope(connection: SinkConnection): Promise<void> {
  for (let text = await connection.line(); text !== null; text = await connection.line()) {
    if (text === "DATA") return connection.say("354 go on");
    connection.say("250 2.0.0 OK");
  }
}

/** Accepts messages until the client leaves. */
export async function acceptAll(connection: SinkConnection): Promise<void> {
  for (let text = await connection.line(); text !== null; text = await connection.line()) {
    if (text === "DATA") {
      connection.say("354 go on");
      await connection.body();
      connection.say("250 2.0.0 queued");
    } else if (text.startsWith("BDAT ")) {
      await connection.bytes(Number(text.split(" ")[1]));
      connection.say("250 2.0.0 queued");
    } else if (text === "QUIT") {
      connection.say("221 bye");
      connection.end();
    } else connection.say("250 2.0.0 OK");
  }
}
