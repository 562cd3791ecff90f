import { afterEach, expect, test, vi } from "vitest";
import {
  fromWorkersSocket,
  type WorkersSocket,
} from "../../../src/providers/mail/socket-duplex.ts";

afterEach(() => {
  vi.useRealTimers();
});

const never = new Promise<never>(() => {});

function socketWith(parts: Partial<WorkersSocket>): WorkersSocket {
  return {
    readable: new ReadableStream(),
    writable: new WritableStream(),
    opened: Promise.resolve({}),
    closed: never,
    startTls: () => socketWith({}),
    close: () => Promise.resolve(),
    ...parts,
  };
}

test("a socket that never confirms its closing is given up after a second", async () => {
  vi.useFakeTimers();
  const duplex = await fromWorkersSocket(socketWith({ close: () => never }));
  const closing = duplex.close();
  await vi.advanceTimersByTimeAsync(1_000);
  await expect(closing).resolves.toBeUndefined();
});

test("closing never rejects, and a broken socket makes no unhandled rejection", async () => {
  const broken = () => Promise.reject(new Error("broken"));
  const duplex = await fromWorkersSocket(socketWith({ closed: broken(), close: broken }));
  await expect(duplex.close()).resolves.toBeUndefined();
});

test("dialling rejects when the socket does not open, or when the signal aborts first", async () => {
  await expect(
    fromWorkersSocket(socketWith({ opened: Promise.reject(new Error("refused")) })),
  ).rejects.toThrow("refused");
  let open!: (value: unknown) => void;
  const close = vi.fn<() => Promise<void>>(() => Promise.resolve());
  const opened = new Promise((resolve) => (open = resolve));
  const abort = new AbortController();
  const dialling = fromWorkersSocket(socketWith({ opened, close }), abort.signal);
  abort.abort();
  open({});
  await expect(dialling).rejects.toThrow("aborted");
  expect(close).toHaveBeenCalledOnce();
});

test("startTls gives the secured socket once its handshake is done", async () => {
  const secured = socketWith({});
  const duplex = await fromWorkersSocket(socketWith({ startTls: () => secured }));
  expect((await duplex.startTls()).readable).toBe(secured.readable);
  const failed = await fromWorkersSocket(
    socketWith({
      startTls: () => socketWith({ opened: Promise.reject(new Error("bad certificate")) }),
    }),
  );
  await expect(failed.startTls()).rejects.toThrow("bad certificate");
});
