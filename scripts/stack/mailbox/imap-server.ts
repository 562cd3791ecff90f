import * as net from "node:net";
import * as tls from "node:tls";
import { SLOW_ANSWER_MS } from "./imap-faults.ts";
import { createImapInput } from "./imap-input.ts";
import { createImapSession, type ImapSessionOptions } from "./imap-session.ts";

const IDLE_MS = 30 * 60_000;

export interface ImapServerOptions extends ImapSessionOptions {
  port: number;
  /** With it TLS is spoken from the first octet. */
  tls?: { key: string; cert: string } | undefined;
}

export interface ImapServer {
  port: number;
  close(): Promise<void>;
}

/** An IMAP server on 127.0.0.1. Throws when the port is taken. */
export async function startImapServer({
  port,
  tls: certificate,
  ...options
}: ImapServerOptions): Promise<ImapServer> {
  const open = new Set<net.Socket>();
  const accept = (socket: net.Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
    serve(socket, options);
  };
  const server =
    certificate === undefined
      ? net.createServer({ noDelay: true }, accept)
      : tls.createServer({ ...certificate, noDelay: true }, accept);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    port: (server.address() as net.AddressInfo).port,
    close() {
      for (const socket of open) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function serve(socket: net.Socket, options: ImapSessionOptions) {
  const input = createImapInput();
  const writer = createWriter(socket, options.faults.take("imap_slow") ? SLOW_ANSWER_MS : 0);
  let state: "open" | "hung" | "closing" = "open";
  const session = createImapSession(options, {
    send: writer.send,
    close() {
      state = "closing";
      writer.end();
    },
    hang() {
      state = "hung";
    },
  });

  function receive(bytes: Buffer) {
    if (state !== "open") return;
    input.push(bytes);
    for (let event = input.next(); event !== null; event = input.next()) {
      if (event.kind === "line") session.take(event.line);
      else if (event.kind === "literal_wanted") writer.send("+ go on\r\n");
      else {
        writer.send("* BYE too long\r\n");
        state = "closing";
        writer.end();
      }
      if (state !== "open") break;
    }
  }

  socket.on("data", receive);
  // A client that breaks off is its own business; the close that follows cleans up.
  socket.on("error", () => socket.destroy());
  socket.setTimeout(IDLE_MS, () => socket.destroy());
  socket.once("close", () => {
    session.end();
    writer.stop();
  });
  session.greet();
}

/** Gathers what is said at once into one write, which leaves `pauseMs` later. */
function createWriter(socket: net.Socket, pauseMs: number) {
  let waiting: string[] = [];
  let ended = false;
  let scheduled = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function leave() {
    scheduled = false;
    socket.cork();
    for (const text of waiting.splice(0)) socket.write(text, "latin1");
    socket.uncork();
    if (ended) socket.destroySoon();
  }

  function schedule() {
    if (scheduled) return;
    scheduled = true;
    if (pauseMs > 0) timer = setTimeout(leave, pauseMs);
    else queueMicrotask(leave);
  }

  return {
    send(text: string) {
      waiting.push(text);
      schedule();
    },
    end() {
      ended = true;
      schedule();
    },
    stop() {
      clearTimeout(timer);
      waiting = [];
    },
  };
}
