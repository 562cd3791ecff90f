import { RedisError, type Reply, toJson, toResp2 } from "./reply.ts";
import { type Format, Refusal } from "./rest-request.ts";

export type Outcome = { result: Reply } | { error: string };

export interface RestReply {
  status: number;
  contentType: string;
  body: Buffer;
}

const jsonReply = (status: number, value: unknown): RestReply => ({
  status,
  contentType: "application/json",
  body: Buffer.from(JSON.stringify(value)),
});

const resp2Reply = (body: string): RestReply => ({
  status: 200,
  contentType: "application/octet-stream",
  body: Buffer.from(body, "latin1"),
});

export const singleReply = (reply: Reply, format: Format) =>
  format === "resp2"
    ? resp2Reply(toResp2(reply))
    : jsonReply(200, { result: toJson(reply, format === "base64") });

export const batchReply = (outcomes: Outcome[], format: Format) =>
  format === "resp2"
    ? resp2Reply(
        outcomes
          .map((one) => ("error" in one ? `-${one.error}\r\n` : toResp2(one.result)))
          .join(""),
      )
    : jsonReply(
        200,
        outcomes.map((one) =>
          "error" in one ? one : { result: toJson(one.result, format === "base64") },
        ),
      );

export const errorReply = (error: RedisError | Refusal) =>
  jsonReply(error instanceof Refusal ? error.status : 400, { error: error.message });
