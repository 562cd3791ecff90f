import * as net from "node:net";
import * as tls from "node:tls";
import type { Faults } from "../part.ts";
import { createMagicRecipients, SLOW_REPLY_MS } from "./smtp-faults.ts";
import { createSmtpInput } from "./smtp-input.ts";
import { replies } from "./smtp-replies.ts";
import { createSmtpSession, type Envelope } from "./smtp-session.ts";

const IDLE_MS = 300_000;

export interface ReceivedMessage {
  connection: number;
  envelope: Envelope;
  raw: Buffer;
  reply: string | null;
}

export interface SmtpServerOptions {
  port: number;
  accepts(username: string, password: string): boolean;
  /** See `SmtpAuthOptions`. */
  acceptsToken?: ((email: string, token: string) => boolean) | undefined;
  tls?: { key: string; cert: string } | undefined;
  faults: Faults;
  deliver(message: ReceivedMessage): void;
  note(summary: string): void;
}

export interface SmtpServer {
  port: number;
  /** Connections accepted so far. */
  connections(): number;
  /** Forgets which greylisting recipients were tried, and counts connections from zero. */
  clear(): void;
  close(): Promise<void>;
}

/** A submission server on 127.0.0.1. Throws when the port is taken. */
export async function startSmtpServer(options: SmtpServerOptions): Promise<SmtpServer> {
  const context = options.tls && tls.createSecureContext(options.tls);
  const magic = createMagicRecipients();
  const open = new Set<net.Socket>();
  let connections = 0;
  let ids = 0;

  const server = net.createServer({ noDelay: true }, (socket) => {
    connections += 1;
    ids += 1;
    const id = ids;
    open.add(socket);
    socket.once("close", () => open.delete(socket));
    serve(socket, context, {
      accepts: options.accepts,
      acceptsToken: options.acceptsToken,
      tlsAvailable: context !== undefined,
      faults: options.faults,
      magic,
      deliver: (message) => options.deliver({ connection: id, ...message }),
      note: (summary) => options.note(`connection ${id}: ${summary}`),
    });
  });

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, "127.0.0.1", resolve);
  });

  return {
    port: (server.address() as net.AddressInfo).port,
    connections: () => connections,
    clear() {
      connections = 0;
      magic.clear();
    },
    close() {
      for (const socket of open) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

type SessionOptions = Parameters<typeof createSmtpSession>[0];

function serve(plain: net.Socket, context: tls.SecureContext | undefined, options: SessionOptions) {
  let socket: net.Socket = plain;
  let state: "open" | "cut_on_input" | "hung" | "closing" = "open";
  const input = createSmtpInput();
  const slow = options.faults.take("slow");
  const writer = createWriter((text) => socket.write(text), slow ? SLOW_REPLY_MS : 0);

  const session = createSmtpSession(options, {
    input,
    send: writer.send,
    upgrade: () => writer.afterwards(upgrade),
    close() {
      state = "closing";
      writer.afterwards(() => socket.destroySoon());
    },
    hang() {
      state = "hung";
    },
    closeOnInput() {
      state = "cut_on_input";
    },
  });

  function receive(bytes: Buffer) {
    if (state === "cut_on_input") return socket.destroy();
    if (state !== "open") return;
    input.push(bytes);
    for (let event = input.next(); event !== null; event = input.next()) {
      session.take(event);
      if (state !== "open") break;
    }
    writer.flush();
  }

  function upgrade() {
    if (plain.destroyed) return;
    plain.removeListener("data", receive);
    socket = new tls.TLSSocket(plain, {
      isServer: true,
      ...(context === undefined ? {} : { secureContext: context }),
    });
    listen(socket);
  }

  function listen(to: net.Socket) {
    to.on("data", receive);
    // A client that breaks off is its own business; the close that follows cleans up.
    to.on("error", () => plain.destroy());
    to.on("end", () => to.end());
    to.setTimeout(IDLE_MS, () => {
      to.write(`${replies.idle}\r\n`);
      to.destroySoon();
    });
  }

  plain.once("close", writer.stop);
  listen(plain);
  session.greet();
  writer.flush();
}

/** Gathers replies into one write per flush (RFC 2920), or with a pause lets them out one by one. */
function createWriter(write: (text: string) => void, pauseMs: number) {
  let waiting: (string | (() => void))[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  function flush() {
    if (pauseMs > 0) return pace();
    let text = "";
    for (const item of waiting) {
      if (typeof item === "string") {
        text += item;
        continue;
      }
      if (text !== "") write(text);
      text = "";
      item();
    }
    waiting = [];
    if (text !== "") write(text);
  }

  function pace() {
    if (timer !== undefined || waiting.length === 0) return;
    timer = setTimeout(() => {
      timer = undefined;
      const item = waiting.shift();
      if (typeof item === "string") write(item);
      while (typeof waiting[0] === "function") (waiting.shift() as () => void)();
      pace();
    }, pauseMs);
  }

  return {
    send: (reply: string) => void waiting.push(`${reply}\r\n`),
    /** Runs `action` when everything sent before has been written. */
    afterwards: (action: () => void) => void waiting.push(action),
    flush,
    stop: () => clearTimeout(timer),
  };
}
