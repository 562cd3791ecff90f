import { createServer } from "node:net";

export interface ReservedPort {
  port: number;
  /** Frees it for the server that is to have it. */
  release(): Promise<void>;
}

/** Takes the port, or any free one for 0, until it is released; null if another process listens there. */
export function reservePort(port: number): Promise<ReservedPort | null> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once("error", () => resolve(null));
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      resolve({
        port: typeof address === "object" && address !== null ? address.port : port,
        release: () => new Promise((done) => server.close(() => done())),
      });
    });
  });
}

export async function isPortFree(port: number): Promise<boolean> {
  const reserved = await reservePort(port);
  await reserved?.release();
  return reserved !== null;
}

/** The wanted port if it is free, or 0, which lets the system choose. */
export async function choosePort(wanted: number | undefined): Promise<number> {
  return wanted !== undefined && (await isPortFree(wanted)) ? wanted : 0;
}

export function portOf(url: string): number {
  return Number(new URL(url).port);
}

/** Takes the wanted port if it is free, else one that the system chooses. */
export async function reserveOne(wanted: number | undefined): Promise<ReservedPort> {
  const reserved = (await reservePort(wanted ?? 0)) ?? (await reservePort(0));
  if (reserved === null) throw new Error("No port of 127.0.0.1 is free.");
  return reserved;
}

/** The same, free again for its server. */
export async function freePort(wanted: number | undefined): Promise<number> {
  const reserved = await reserveOne(wanted);
  await reserved.release();
  return reserved.port;
}
