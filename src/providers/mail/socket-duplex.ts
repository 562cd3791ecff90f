import type { Duplex } from "./index.ts";

/**
 * The part of a Workers socket (`cloudflare:sockets`) that we use, by shape: only `src/worker.ts`
 * may import the module itself. https://developers.cloudflare.com/workers/runtime-apis/tcp-sockets/
 */
export interface WorkersSocket {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
  readonly opened: Promise<unknown>;
  readonly closed: Promise<unknown>;
  startTls(): WorkersSocket;
  close(): Promise<unknown>;
}

/** workerd may leave `close()` pending for ever once `startTls()` was called. */
const CLOSE_MS = 1_000;

/**
 * Adapts a Workers socket; resolves once it is open, and closes it when the signal aborts first.
 *
 * In `src/worker.ts`:
 *
 *     const dial: Dial = ({ host, port, tls, startTlsLater }, signal) =>
 *       fromWorkersSocket(
 *         connect(
 *           { hostname: host, port },
 *           { secureTransport: tls ? "on" : startTlsLater ? "starttls" : "off", allowHalfOpen: false },
 *         ),
 *         signal,
 *       );
 */
export async function fromWorkersSocket(
  socket: WorkersSocket,
  signal?: AbortSignal,
): Promise<Duplex> {
  // Both reject when the connection breaks; whoever reads or writes hears of it there.
  socket.closed.catch(() => {});
  const close = () => closeSoon(socket);
  signal?.addEventListener("abort", close, { once: true });
  try {
    await socket.opened;
    signal?.throwIfAborted();
  } finally {
    signal?.removeEventListener("abort", close);
  }
  return {
    readable: socket.readable,
    writable: socket.writable,
    startTls: () => fromWorkersSocket(socket.startTls()),
    close,
  };
}

async function closeSoon(socket: WorkersSocket): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const given = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CLOSE_MS);
  });
  await Promise.race([socket.close(), given]).catch(() => {});
  if (timer !== undefined) clearTimeout(timer);
}
