import * as net from "node:net";
import * as tls from "node:tls";
import { createImapSession, type ImapSessionOptions } from "./imap-session.ts";

const IDLE_MS = 30 * 60_000;
const LINE_LIMIT = 65_536;

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
  let rest = "";
  let isClosing = false;
  const session = createImapSession(options, {
    send: (text) => void socket.write(text, "latin1"),
    close() {
      isClosing = true;
      socket.destroySoon();
    },
  });
  socket.setEncoding("latin1");
  socket.on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    socket.cork();
    for (const line of lines) if (!isClosing) session.take(line.replace(/\r$/, ""));
    socket.uncork();
    if (rest.length > LINE_LIMIT) socket.destroy();
  });
  // A client that breaks off is its own business.
  socket.on("error", () => socket.destroy());
  socket.setTimeout(IDLE_MS, () => socket.destroy());
  session.greet();
}
