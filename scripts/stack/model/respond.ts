import type { ServerResponse } from "node:http";
import { complete } from "./complete.ts";
import type { ChatBody } from "./request.ts";

const HUGE_BYTES = 100 * 1024 * 1024;

/** The completion, in whatever way it is ordered to arrive. */
export function respond(
  response: ServerResponse,
  body: ChatBody,
  shown: ReadonlySet<string>,
): void {
  if (shown.has("down")) return void response.destroy();
  if (shown.has("redirect"))
    return void response
      .writeHead(307, { location: "https://example.com/v1/chat/completions" })
      .end();
  if (shown.has("html"))
    return void response
      .writeHead(200, { "content-type": "text/html" })
      .end("<html>Sign in</html>");
  if (shown.has("wrong-json")) return send(response, 200, { object: "list", data: [] });
  if (shown.has("huge")) return sendHuge(response);
  const answer = complete(body, shown, new Date());
  if (!shown.has("lost-answer")) return send(response, 200, answer);
  const text = JSON.stringify(answer);
  response.writeHead(200, {
    "content-type": "application/json",
    "content-length": text.length * 4,
  });
  response.write(text.slice(0, text.length / 2), () => response.destroy());
}

export function send(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

/** As much as is taken: who stops reading stops it. */
function sendHuge(response: ServerResponse): void {
  const piece = Buffer.alloc(64 * 1024, "x");
  let sent = 0;
  response.writeHead(200, { "content-type": "application/json" });
  const more = () => {
    while (sent < HUGE_BYTES && !response.destroyed) {
      sent += piece.length;
      if (!response.write(piece)) return void response.once("drain", more);
    }
    response.end();
  };
  more();
}
