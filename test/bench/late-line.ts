import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export interface LateLine {
  /** `host:port` */
  address: string;
  close(): Promise<void>;
}

/** Passes bytes on to a port of this machine, those towards it so much later: a round trip's worth of distance. */
export async function startLateLine(port: number, delayMs: number): Promise<LateLine> {
  const open = new Set<Socket>();
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ port, host: "127.0.0.1", noDelay: true });
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on("close", () => open.delete(socket));
      socket.on("error", () => socket.destroy());
    }
    near.on("data", (bytes) => setTimeout(() => far.write(bytes), delayMs));
    near.on("close", () => far.destroy());
    far.on("close", () => near.destroy());
    far.pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      for (const socket of open) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
