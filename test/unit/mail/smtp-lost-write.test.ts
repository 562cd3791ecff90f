import { expect, test } from "vitest";
import type { Duplex } from "../../../src/providers/mail/index.ts";
import { openSmtpSession } from "../../../src/providers/mail/smtp-client.ts";

/** A line that answers every command and breaks at the write that `breaksAt` picks. */
function lineThatBreaks(breaksAt: (text: string) => boolean, ehlo = "250 ok"): Duplex {
  const encoder = new TextEncoder();
  let say!: (text: string) => void;
  const readable = new ReadableStream<Uint8Array>({
    start(controller) {
      say = (text) => controller.enqueue(encoder.encode(text));
      say("220 hello\r\n");
    },
  });
  const writable = new WritableStream<Uint8Array>({
    write(chunk) {
      const text = new TextDecoder().decode(chunk);
      if (breaksAt(text)) throw new Error("broken pipe");
      if (text.startsWith("EHLO")) say(`${ehlo}\r\n`);
      if (/^(MAIL|RCPT)/.test(text)) say("250 ok\r\n");
      if (text.startsWith("DATA")) say("354 go\r\n");
    },
  });
  return {
    readable,
    writable,
    startTls: () => Promise.reject(new Error("not here")),
    close: () => Promise.resolve(),
  };
}

async function sendOver(line: Duplex, raw: string) {
  const timeouts = { final: 20 };
  const options = { host: "h", port: 1, security: "none", ehloName: "c", timeouts } as const;
  const session = await openSmtpSession(() => Promise.resolve(line), options);
  return session.send({
    id: "1",
    from: "a@b.zz",
    to: "c@d.zz",
    raw: new TextEncoder().encode(raw),
  });
}
const long = `a: b\r\n\r\n${`${"x".repeat(98)}\r\n`.repeat(2_000)}`;

test("a line that breaks while the last block is written leaves the message unknown", async () => {
  const endsWithDot = (text: string) => text.endsWith("\r\n.\r\n");
  expect(await sendOver(lineThatBreaks(endsWithDot), "a: b\r\n\r\nx\r\n")).toMatchObject({
    state: "unknown",
  });
  expect(await sendOver(lineThatBreaks(endsWithDot), long)).toMatchObject({ state: "unknown" });
});

test("a line that breaks in an earlier block defers it: no server has seen the dot", async () => {
  const firstBlock = (text: string) => text.startsWith("a: b");
  expect(await sendOver(lineThatBreaks(firstBlock), long)).toMatchObject({
    state: "deferred",
    scope: "connection",
    stage: "data",
  });
});

test("in chunks it is the same: unknown from the last block on, deferred before it", async () => {
  const ehlo = "250-h\r\n250 CHUNKING";
  const chunk = (text: string) => text.startsWith("BDAT");
  expect(await sendOver(lineThatBreaks(chunk, ehlo), "a: b\r\n\r\nx\r\n")).toMatchObject({
    state: "unknown",
  });
  expect(await sendOver(lineThatBreaks(chunk, ehlo), long)).toMatchObject({
    state: "deferred",
    scope: "connection",
    stage: "data",
  });
  const last = (text: string) => text.length > 100 && text.length <= 65_536 && !chunk(text);
  let blocks = 0;
  const lastOf = (text: string) => last(text) && ++blocks === 3;
  expect(await sendOver(lineThatBreaks(lastOf, ehlo), long)).toMatchObject({ state: "unknown" });
});
