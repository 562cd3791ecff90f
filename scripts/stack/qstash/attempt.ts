import {
  Agent,
  type IncomingMessage,
  request as httpRequest,
  type RequestOptions,
} from "node:http";
import { sleepUntilWarped } from "../warp.ts";
import type { Answer, Message } from "./model.ts";
import { sign } from "./signature.ts";

/** The free plan's "max HTTP response duration". */
const DEFAULT_TIMEOUT_SECONDS = 15 * 60;

export interface Sender {
  /** Makes one delivery; a failure to get an answer is an answer with status 0. */
  deliver(message: Message, signingKey: string): Promise<Answer>;
  /** Breaks off whatever is under way. */
  close(): void;
}

export function createSender(): Sender {
  const agent = new Agent({ keepAlive: true });
  const closing = new AbortController();
  return {
    async deliver(message, signingKey) {
      const url = new URL(message.url);
      const body = Buffer.from(message.body, "base64");
      const timeout = new AbortController();
      const answered = new AbortController();
      const seconds = message.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS;
      sleepUntilWarped(new Date(Date.now() + seconds * 1000), answered.signal).then(
        () => timeout.abort(new Error(`no answer within ${seconds} s`)),
        () => {},
      );
      const options: RequestOptions = {
        method: "POST",
        headers: headersOf(message, body, signingKey),
        agent,
        signal: AbortSignal.any([timeout.signal, closing.signal]),
      };
      try {
        return await exchange(url, options, body);
      } catch (error) {
        const cause = timeout.signal.aborted ? timeout.signal.reason : error;
        return {
          status: 0,
          headers: {},
          body: Buffer.alloc(0),
          error: String((cause as Error).message),
        };
      } finally {
        answered.abort();
      }
    },
    close() {
      closing.abort();
      agent.destroy();
    },
  };
}

/** https://upstash.com/docs/qstash/howto/receiving */
function headersOf(message: Message, body: Buffer, signingKey: string): Record<string, string> {
  return {
    ...message.headers,
    "user-agent": "Upstash-QStash",
    "upstash-signature": sign({ url: message.url, body }, signingKey, new Date()),
    "upstash-message-id": message.messageId,
    "upstash-retried": String(message.retried),
    ...(message.scheduleId === null ? {} : { "upstash-schedule-id": message.scheduleId }),
    "content-length": String(body.length),
  };
}

/**
 * A kept-alive connection that its other end closes just as a request goes out gives ECONNRESET although
 * nothing is wrong; such a request is sent once more, on a fresh connection.
 */
async function exchange(url: URL, options: RequestOptions, body: Buffer): Promise<Answer> {
  try {
    return await send(url, options, body);
  } catch (error) {
    if (!(error instanceof StaleConnection)) throw error;
    return await send(url, { ...options, agent: false }, body);
  }
}

class StaleConnection extends Error {}

function send(url: URL, options: RequestOptions, body: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, options, (response) =>
      readAnswer(response).then(resolve, reject),
    );
    request.on("error", (error: NodeJS.ErrnoException) => {
      reject(request.reusedSocket && error.code === "ECONNRESET" ? new StaleConnection() : error);
    });
    request.end(body);
  });
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  const headers: Record<string, string[]> = {};
  for (const [name, values] of Object.entries(response.headersDistinct))
    headers[name] = values ?? [];
  return { status: response.statusCode ?? 0, headers, body: Buffer.concat(chunks), error: null };
}
