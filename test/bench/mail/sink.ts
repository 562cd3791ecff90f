import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { createSecureContext, TLSSocket, type SecureContext } from "node:tls";

export interface SinkOptions {
  /** PEM of the server's certificate and key. */
  cert: string;
  key: string;
  /** How long after a command its reply goes out: the round trip of a line. Pipelined replies share it. */
  delayMs: number;
  /** Whether EHLO offers CHUNKING (RFC 3030). */
  chunking: boolean;
}

/** What arrived since the sink began. */
export interface SinkCounts {
  connections: number;
  /** Messages that were answered 250. */
  messages: number;
  /** Their bytes as they came: dots doubled under DATA, terminator excluded. */
  bytes: number;
  /** How many of them came by BDAT. */
  chunked: number;
}

export interface Sink {
  port: number;
  counts: SinkCounts;
  close(): Promise<void>;
}

/** Login that the sink takes; it refuses MAIL before it, and AUTH before TLS. */
export const SINK_LOGIN = { username: "bench@sender.zz", password: "bench-password" };

const LINE_END = "\r\n";
const BODY_END = Buffer.from("\r\n.\r\n");
const EMPTY_BODY = Buffer.from(".\r\n");
const PLAIN_LOGIN = Buffer.from(`\0${SINK_LOGIN.username}\0${SINK_LOGIN.password}`);

/**
 * A submission server that does as little as can be: STARTTLS, AUTH PLAIN, PIPELINING, and every
 * message taken and dropped. The replies to one read leave in one write.
 */
export async function startSink(options: SinkOptions): Promise<Sink> {
  const counts: SinkCounts = { connections: 0, messages: 0, bytes: 0, chunked: 0 };
  const secureContext = createSecureContext({ cert: options.cert, key: options.key });
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    counts.connections++;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    serve(socket, options, secureContext, counts);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    counts,
    close: () => closeServer(server, sockets),
  };
}

function closeServer(server: Server, sockets: Set<Socket>): Promise<void> {
  for (const socket of sockets) socket.destroy();
  return new Promise((resolve) => server.close(() => resolve()));
}

/** Lines, the body of DATA, or so many bytes of a chunk. */
type Expecting =
  | { what: "command" }
  | { what: "body" }
  | { what: "chunk"; left: number; last: boolean };

function serve(
  plain: Socket,
  { delayMs, chunking }: SinkOptions,
  secureContext: SecureContext,
  counts: SinkCounts,
): void {
  let socket: Socket = plain;
  let secure = false;
  let authenticated = false;
  let expecting: Expecting = { what: "command" };
  let pending: Buffer = Buffer.alloc(0);
  let replies = "";
  /** What is to happen on the wire right behind the replies of this read. */
  let afterwards: (() => void) | null = null;
  let chunkedBytes = 0;

  const commands: Record<string, (rest: string) => string> = {
    EHLO: () =>
      [
        "250-sink.zz",
        "250-PIPELINING",
        "250-8BITMIME",
        "250-SIZE 26214400",
        ...(chunking ? ["250-CHUNKING"] : []),
        secure ? "250 AUTH PLAIN" : "250 STARTTLS",
      ].join(LINE_END),
    STARTTLS: () => {
      if (secure) return "503 5.5.1 TLS is on";
      afterwards = startTls;
      return "220 2.0.0 go ahead";
    },
    AUTH: (rest) => {
      const [method, initial = ""] = rest.split(" ");
      authenticated =
        secure && method === "PLAIN" && Buffer.from(initial, "base64").equals(PLAIN_LOGIN);
      return authenticated ? "235 2.7.0 accepted" : "535 5.7.8 refused";
    },
    MAIL: () => (authenticated ? "250 2.1.0 OK" : "530 5.7.0 authentication required"),
    RCPT: () => "250 2.1.5 OK",
    RSET: () => "250 2.0.0 OK",
    NOOP: () => "250 2.0.0 OK",
    DATA: () => {
      if (!authenticated) return "503 5.5.1 no valid recipients";
      expecting = { what: "body" };
      return "354 go on";
    },
    BDAT: (rest) => {
      const [size = "", last] = rest.split(" ");
      expecting = { what: "chunk", left: Number(size), last: last === "LAST" };
      chunkedBytes += Number(size);
      return "";
    },
    QUIT: () => {
      afterwards = () => void socket.end();
      return "221 2.0.0 bye";
    },
  };

  function taken(bytes: number): void {
    counts.messages++;
    counts.bytes += bytes;
    replies += `250 2.0.0 queued as ${counts.messages}${LINE_END}`;
  }

  /** True when something was consumed, so that there may be more. */
  function step(): boolean {
    if (expecting.what === "chunk") {
      const bytes = Math.min(expecting.left, pending.length);
      pending = pending.subarray(bytes);
      expecting.left -= bytes;
      if (expecting.left > 0) return false;
      if (expecting.last) {
        counts.chunked++;
        taken(chunkedBytes);
        chunkedBytes = 0;
      } else replies += `250 2.0.0 go on${LINE_END}`;
      expecting = { what: "command" };
      return true;
    }
    if (expecting.what === "body") {
      const empty = pending.subarray(0, EMPTY_BODY.length).equals(EMPTY_BODY);
      const end = empty ? 0 : pending.indexOf(BODY_END);
      if (end < 0) return false;
      pending = pending.subarray(end + (empty ? EMPTY_BODY.length : BODY_END.length));
      taken(empty ? 0 : end + LINE_END.length);
      expecting = { what: "command" };
      return true;
    }
    const end = pending.indexOf(LINE_END);
    if (end < 0) return false;
    const line = pending.toString("latin1", 0, end);
    pending = pending.subarray(end + LINE_END.length);
    const space = line.indexOf(" ");
    const verb = (space < 0 ? line : line.slice(0, space)).toUpperCase();
    const reply = commands[verb]?.(space < 0 ? "" : line.slice(space + 1)) ?? "500 5.5.2 what?";
    if (reply !== "") replies += reply + LINE_END;
    return true;
  }

  function say(): void {
    const [text, then, to] = [replies, afterwards, socket];
    replies = "";
    afterwards = null;
    const send = () => {
      if (!to.writable) return;
      to.write(text);
      then?.();
    };
    if (delayMs > 0) setTimeout(send, delayMs);
    else send();
  }

  function hear(chunk: Buffer): void {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    while (step());
    if (replies !== "") say();
  }

  function startTls(): void {
    plain.removeListener("data", hear);
    secure = true;
    socket = new TLSSocket(plain, { isServer: true, secureContext });
    listen();
  }

  function listen(): void {
    socket.on("data", hear);
    socket.on("error", () => plain.destroy());
  }

  listen();
  replies = `220 sink.zz ESMTP${LINE_END}`;
  say();
}
