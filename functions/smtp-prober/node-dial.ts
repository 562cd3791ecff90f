import { connect, isIP, type Socket } from "node:net";
import { connect as connectTls, type ConnectionOptions, rootCertificates } from "node:tls";
import type { Dial, Duplex } from "#src/providers/mail/index.ts";

export interface NodeDialOptions {
  /** PEM of further certificate authorities to trust, besides the public ones. */
  ca?: string;
  /** Opportunistic TLS (RFC 7435): a server that demands TLS gets it, with any certificate; nothing secret is sent. */
  anyCertificate?: boolean;
}

/** The `Dial` of Node: certificates are verified against the name that was dialled, unless any will do. */
export function createNodeDial(options: NodeDialOptions = {}): Dial {
  const ca = options.ca === undefined ? undefined : [...rootCertificates, options.ca];
  const tlsOptions = (host: string): ConnectionOptions => ({
    host,
    ...(isIP(host) ? {} : { servername: host }),
    ...(ca && { ca }),
    ...(options.anyCertificate && { rejectUnauthorized: false }),
  });
  return async ({ host, address = host, port, tls }, signal) => {
    const socket = tls
      ? await ready(
          connectTls({ ...tlsOptions(host), port, host: address }),
          "secureConnect",
          signal,
        )
      : await ready(connect({ host: address, port }), "connect", signal);
    return toDuplex(socket, tlsOptions(host));
  };
}

function ready(
  socket: Socket,
  event: "connect" | "secureConnect",
  signal?: AbortSignal,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      socket.destroy();
      reject(error);
    };
    const abort = () => fail(new Error("aborted"));
    signal?.addEventListener("abort", abort, { once: true });
    socket.once("error", fail);
    socket.once("close", () => fail(new Error("connection closed")));
    socket.once(event, () => {
      signal?.removeEventListener("abort", abort);
      socket.off("error", fail);
      // Later failures reach the reader or writer; without a listener Node would throw them.
      socket.on("error", () => {});
      socket.setNoDelay(true);
      resolve(socket);
    });
  });
}

function toDuplex(socket: Socket, tlsOptions: ConnectionOptions): Duplex {
  // Pulls by hand: nothing is read ahead of demand, so that no plain byte is lost at STARTTLS.
  const readable = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = await nextChunk(socket);
        if (chunk) controller.enqueue(chunk);
        else controller.close();
      },
      cancel: () => void socket.destroy(),
    },
    { highWaterMark: 0 },
  );
  const writable = new WritableStream<Uint8Array>({
    write: (chunk) =>
      new Promise((resolve, reject) => {
        socket.write(chunk, (error) => (error ? reject(error) : resolve()));
      }),
    close: () => void socket.end(),
    abort: () => void socket.destroy(),
  });
  return {
    readable,
    writable,
    async startTls() {
      const secured = await ready(connectTls({ socket, ...tlsOptions }), "secureConnect");
      return toDuplex(secured, tlsOptions);
    },
    async close() {
      socket.destroy();
    },
  };
}

/** The next bytes, or null at the end of the stream; rejects when the socket breaks. */
function nextChunk(socket: Socket): Promise<Uint8Array | null> {
  return new Promise((resolve, reject) => {
    const attempt = () => {
      const chunk: Buffer | null = socket.read();
      if (chunk) return settle(() => resolve(new Uint8Array(chunk)));
      if (socket.errored) return settle(() => reject(socket.errored));
      if (socket.readableEnded || socket.destroyed) settle(() => resolve(null));
    };
    const settle = (finish: () => void) => {
      for (const event of ["readable", "end", "close", "error"]) socket.off(event, attempt);
      finish();
    };
    for (const event of ["readable", "end", "close", "error"]) socket.on(event, attempt);
    attempt();
  });
}
