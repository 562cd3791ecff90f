import * as net from "node:net";
import { onTestFinished } from "vitest";

/** A relay that takes everything, but answers one command ("." is the end of a message) when it is told, in these words. */
export async function relayThatWaits(at: "AUTH" | "MAIL" | "RCPT" | "DATA" | ".") {
  const { promise: asked, resolve: isAsked } = Promise.withResolvers<void>();
  const { promise: words, resolve: answer } = Promise.withResolvers<string>();
  const server = net.createServer((socket) => {
    const say = (line: string) => socket.write(`${line}\r\n`);
    const reply = (command: string, line: string) => {
      if (command !== at) return say(line);
      isAsked();
      void words.then(say);
    };
    let isData = false;
    let rest = "";
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      rest += chunk.toString("latin1");
      for (let end = rest.indexOf("\r\n"); end >= 0; end = rest.indexOf("\r\n")) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        if (isData && line !== ".") continue;
        isData = line.toUpperCase() === "DATA";
        const command = line.slice(0, 4).toUpperCase();
        if (command === "EHLO") say("250-relay.zz\r\n250-8BITMIME\r\n250 AUTH PLAIN LOGIN");
        else if (command === "AUTH") reply(command, "235 2.7.0 Accepted");
        else reply(command, isData ? "354 Go on" : "250 2.0.0 OK");
      }
    });
    say("220 relay.zz ESMTP");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return {
    smtp: { host: "127.0.0.1", port: (server.address() as net.AddressInfo).port },
    asked,
    answer,
  };
}
