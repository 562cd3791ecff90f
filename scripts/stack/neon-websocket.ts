import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import { type RawData, WebSocketServer } from "ws";
import type { CallLog } from "./part.ts";

export interface WebSocketProxy {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): void;
}

/** Above this many bytes not yet taken by one side, the other is not read. */
const HIGH_WATER_BYTES = 1024 * 1024;

/** Carries the bytes of the Postgres protocol between a WebSocket at `/v2` and Postgres. The driver asks for no subprotocol. */
export function createWebSocketProxy(
  postgres: { host: string; port: number },
  log: CallLog,
): WebSocketProxy {
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false });

  server.on("connection", (webSocket) => {
    log.add("websocket opened");
    const socket = connect({ host: postgres.host, port: postgres.port, noDelay: true });
    webSocket.on("message", (data: RawData) => {
      // With the default binaryType a message is one Buffer.
      if (socket.write(data as Buffer)) return;
      webSocket.pause();
      socket.once("drain", () => webSocket.resume());
    });
    socket.on("data", (chunk) => {
      webSocket.send(chunk, () => {
        if (socket.isPaused() && webSocket.bufferedAmount < HIGH_WATER_BYTES) socket.resume();
      });
      if (webSocket.bufferedAmount >= HIGH_WATER_BYTES) socket.pause();
    });
    webSocket.on("close", () => socket.destroySoon());
    webSocket.on("error", () => socket.destroy());
    socket.on("error", () => webSocket.close(1011));
    socket.on("close", () => webSocket.close());
  });

  return {
    upgrade(request, socket, head) {
      if (request.url?.split("?")[0] !== "/v2") {
        return void socket.end("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n");
      }
      server.handleUpgrade(request, socket, head, (webSocket) => {
        server.emit("connection", webSocket, request);
      });
    },
    close() {
      for (const client of server.clients) client.terminate();
      server.close();
    },
  };
}
