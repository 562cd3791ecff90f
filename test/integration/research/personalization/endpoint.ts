import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What a hand-made endpoint answers to one request. */
export type Answer =
  | { status?: number; headers?: Record<string, string>; body: unknown }
  | ((response: ServerResponse) => void);

export interface Endpoint {
  baseUrl: string;
  /** Bodies of the requests so far. */
  // oxlint-disable-next-line typescript/no-explicit-any -- each test knows what it asked
  asked: any[];
  headers: IncomingMessage["headers"][];
  /** The next answers, in their order; then the last one again and again. */
  will(...answers: Answer[]): void;
  close(): Promise<void>;
}

/** An endpoint of chat completions that says what a test makes it say. */
export async function startEndpoint(): Promise<Endpoint> {
  let answers: Answer[] = [];
  const asked: unknown[] = [];
  const headers: IncomingMessage["headers"][] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      asked.push(JSON.parse(Buffer.concat(chunks).toString("utf8")));
      headers.push(request.headers);
      const answer = answers.length > 1 ? answers.shift()! : answers[0]!;
      if (typeof answer === "function") return answer(response);
      const { status = 200, body } = answer;
      response.writeHead(status, { "content-type": "application/json", ...answer.headers });
      response.end(typeof body === "string" ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    headers,
    will: (...next) => {
      answers = next;
      asked.length = 0;
      headers.length = 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A completion that says `content`, with whatever else of the message, the choice or the answer. */
export const completion = (
  content: unknown,
  { message = {}, choice = {}, ...rest }: Record<string, unknown> = {},
) => ({
  body: {
    id: "chatcmpl-1",
    object: "chat.completion",
    model: "vendor/model-7",
    choices: [
      {
        index: 0,
        finish_reason: "stop",
        message: { role: "assistant", content, ...(message as object) },
        ...(choice as object),
      },
    ],
    usage: { prompt_tokens: 1000, completion_tokens: 200, total_tokens: 1200 },
    ...rest,
  },
});

export const apiError = (status: number, error: object, headers: Record<string, string> = {}) => ({
  status,
  headers,
  body: { error },
});
