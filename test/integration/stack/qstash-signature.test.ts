import {
  advance,
  bodies,
  client,
  connect,
  jump,
  publish,
  qstash,
  receiver,
  KEYS,
  useQstash,
} from "./qstash-setting.ts";
import { Receiver as Verifier } from "@upstash/qstash";
import { describe, expect, test } from "vitest";

useQstash();

describe("signatures", () => {
  const verifier = (currentSigningKey: string, nextSigningKey: string) =>
    new Verifier({ currentSigningKey, nextSigningKey, devMode: false });
  const delivered = async () => {
    await client.publishJSON({
      url: `${receiver.url}/hook?a=b`,
      body: { text: "naïve ☃" },
    });
    await qstash.idle();
    const { headers, body } = receiver.received.at(-1)!;
    return {
      signature: String(headers["upstash-signature"]),
      body,
      url: `${receiver.url}/hook?a=b`,
    };
  };

  test("verify with the current key, and as the next key of a receiver that is ahead", async () => {
    const request = await delivered();
    await expect(verifier("sig_current", "sig_next").verify(request)).resolves.toBe(true);
    await expect(verifier("sig_other", "sig_current").verify(request)).resolves.toBe(true);
  });

  test("fail for another body, another url, another key and after five minutes", async () => {
    const request = await delivered();
    const { verify } = {
      verify: (change: object) =>
        verifier("sig_current", "sig_next").verify({ ...request, ...change }),
    };
    await expect(verify({ body: request.body.replace("naïve", "naive") })).rejects.toThrow(
      "body hash",
    );
    await expect(verify({ url: `${receiver.url}/hook` })).rejects.toThrow("invalid subject");
    await expect(verifier("a", "b").verify(request)).rejects.toThrow(
      "signature verification failed",
    );
    jump(270);
    await expect(verify({})).resolves.toBe(true);
    jump(31);
    await expect(verify({})).rejects.toThrow("signature verification failed");
  });

  test("carry the documented claims", async () => {
    const { signature } = await delivered();
    const [header, claims] = signature
      .split(".")
      .map((part) => Buffer.from(part, "base64url").toString());
    expect(JSON.parse(header!)).toEqual({ alg: "HS256", typ: "JWT" });
    const { iat, nbf, exp, ...rest } = JSON.parse(claims!);
    expect(rest).toEqual({
      iss: "Upstash",
      sub: `${receiver.url}/hook?a=b`,
      jti: expect.stringMatching(/^jwt_/),
      body: expect.stringMatching(/^[\w-]{43}=$/),
    });
    expect([nbf, exp]).toEqual([iat, iat + 300]);
  });

  test("after a rotation the next key signs", async () => {
    const call = (method: string, path: string) =>
      fetch(qstash.url + path, { method, headers: { authorization: "Bearer secret" } });
    expect(await (await call("GET", "/v2/keys")).json()).toEqual({
      current: "sig_current",
      next: "sig_next",
    });
    const rotated = await (await call("POST", "/v2/keys/rotate")).json();
    expect(rotated).toEqual({ current: "sig_next", next: expect.stringMatching(/^sig_/) });
    expect(qstash.currentSigningKey).toBe("sig_next");
    await expect(verifier("sig_current", "sig_next").verify(await delivered())).resolves.toBe(true);
  });

  test("an empty body is signed as such", async () => {
    await publish();
    await qstash.idle();
    const { headers, body } = receiver.received[0]!;
    const signature = String(headers["upstash-signature"]);
    await expect(verifier("sig_current", "x").verify({ signature, body })).resolves.toBe(true);
    expect(body).toBe("");
  });
});

describe("faults", () => {
  test("duplicate delivers a message twice", async () => {
    qstash.faults.order("duplicate", 1);
    await publish();
    await qstash.idle();
    const ids = receiver.received.map(({ headers }) => headers["upstash-message-id"]);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  test("lose forgets a message silently", async () => {
    qstash.faults.order("lose", 1);
    await publish({ body: "lost" });
    await publish({ body: "kept" });
    await advance(86_400);
    expect(bodies()).toEqual(["kept"]);
    expect((await client.dlq.listMessages()).messages).toEqual([]);
  });

  test("delay delivers an hour late", async () => {
    qstash.faults.order("delay", 1);
    await publish();
    await advance(3599);
    expect(receiver.received).toEqual([]);
    await advance(1);
    expect(receiver.received[0]!.headers["upstash-retried"]).toBe("0");
  });

  test("bad_signature signs with an unknown key", async () => {
    qstash.faults.order("bad_signature", 1);
    await publish();
    await qstash.idle();
    const verifier = new Verifier({ ...KEYS, devMode: false });
    const { headers, body } = receiver.received[0]!;
    const signature = String(headers["upstash-signature"]);
    await expect(verifier.verify({ signature, body })).rejects.toThrow(
      "signature verification failed",
    );
  });

  test("publish_reply_lost accepts, so that a client that tries again needs a deduplication id", async () => {
    const retrying = connect(qstash, { retries: 1 });
    qstash.faults.order("publish_reply_lost", 1);
    await retrying.publish({ url: receiver.url, body: "twice" });
    qstash.faults.order("publish_reply_lost", 1);
    const reply = await retrying.publish({ url: receiver.url, body: "once", deduplicationId: "x" });
    await qstash.idle();
    expect(reply.deduplicated).toBe(true);
    expect(bodies().toSorted()).toEqual(["once", "twice", "twice"]);
  });

  test("unavailable refuses one request", async () => {
    qstash.faults.order("unavailable", 1);
    await expect(publish()).rejects.toMatchObject({
      status: 503,
    });
    await publish();
  });
});
