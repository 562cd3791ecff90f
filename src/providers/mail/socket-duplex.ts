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
  startTls(options?: { expectedServerHostname?: string }): WorkersSocket;
  close(): Promise<unknown>;
}

/** workerd may leave `close()` pending for ever once `startTls()` was called. */
const CLOSE_MS = 1_000;

/**
 * Adapts a Workers socket; resolves once it is open, and closes it when the signal aborts first.
 *
 * `serverName` is what a later TLS verifies; if absent, what was dialled.
 */
export async function fromWorkersSocket(
  socket: WorkersSocket,
  signal?: AbortSignal,
  serverName?: string,
): Promise<Duplex> {
  // Both reject when the connection breaks; the reader or writer gets that error itself.
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
    startTls: () =>
      fromWorkersSocket(
        serverName === undefined
          ? socket.startTls()
          : socket.startTls({ expectedServerHostname: serverName }),
      ),
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
