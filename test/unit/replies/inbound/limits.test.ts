import { expect, test } from "vitest";
import { classifyInbound } from "#src/domain/replies/inbound/classify.ts";
import { MAX_TEXT, parseInbound } from "#src/domain/replies/inbound/parse.ts";
import { shortenMail } from "#src/domain/replies/inbound/shorten.ts";
import { rawMail } from "./mails.ts";
import { costMs } from "../../../support/cost.ts";

const MB = 1024 * 1024;
/** A generous bound on a shared machine; what is caught is minutes, not seconds. */
const MAX_MS = 6_000;
const encoder = new TextEncoder();

/** `head`, then `unit` over and over until the size is reached, then `tail`. */
function long(head: string, unit: string, size: number, tail = ""): Uint8Array {
  const [first, repeated, last] = [head, unit, tail].map((each) => encoder.encode(each)) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ];
  const raw = new Uint8Array(
    first.length + Math.ceil(size / repeated.length) * repeated.length + last.length,
  );
  raw.set(first);
  raw.set(repeated, first.length);
  let filled = repeated.length;
  const body = raw.subarray(first.length, raw.length - last.length);
  while (filled < body.length) {
    body.copyWithin(filled, 0, Math.min(filled, body.length - filled));
    filled *= 2;
  }
  raw.set(last, raw.length - last.length);
  return raw;
}

async function quickly(raw: Uint8Array) {
  let read!: Awaited<ReturnType<typeof parseInbound>>;
  let inbound!: ReturnType<typeof classifyInbound>;
  const cost = await costMs(async () => {
    read = await parseInbound(raw);
    inbound = classifyInbound(read);
  });
  expect(cost).toBeLessThan(MAX_MS);
  expect(read.text.length).toBeLessThanOrEqual(MAX_TEXT);
  return { read, inbound };
}

const HEAD = "From: ann@lead.zz\r\nTo: sam@sender.zz\r\nSubject: Re: x\r\nMIME-Version: 1.0\r\n";
const MIXED = `${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n`;

test("of an attachment of 60 MB little is kept, and the parts around it are read", async () => {
  const line = `${"QUJD".repeat(19)}\r\n`;
  const head = `${MIXED}--b\r\nContent-Type: text/plain\r\n\r\nHello\r\n--b\r\nContent-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n`;
  const raw = long(
    head,
    line,
    60 * MB,
    "--b\r\nContent-Type: text/plain\r\n\r\nand the end\r\n--b--\r\n",
  );
  expect(shortenMail(raw).bytes.length).toBeLessThan(MB);
  const { read } = await quickly(raw);
  expect(read).toMatchObject({
    truncated: true,
    subject: "Re: x",
    parts: [{ contentType: "application/pdf" }],
  });
  expect(read.text).toMatch(/Hello\s+and the end/);
});

test("of many large parts 6 MB are kept in all", () => {
  const large = long(MIXED, `--b\r\n${"x".repeat(300_000)}\r\n`, 10 * MB);
  expect(shortenMail(large).bytes.length).toBe(6 * MB);
});

test("empty lines are cheap to send and dear to read: few are kept", () => {
  const kept = shortenMail(long(`${HEAD}\r\n`, "\n", 300_000)).bytes;
  expect(kept.filter((byte) => byte === 10).length).toBeLessThan(8_100);
  const parts = shortenMail(long(MIXED, `--b\r\n${"\n".repeat(4_000)}`, 10 * MB)).bytes;
  expect(parts.filter((byte) => byte === 10).length).toBeLessThan(60_100);
});

test.each([
  ["one line", `${HEAD}\r\n`, "x"],
  ["empty lines", `${HEAD}\r\n`, "\n"],
  ["CR alone", HEAD.replaceAll("\r\n", "\r"), "a\r"],
  ["delimiters", MIXED, "--b\r\n"],
  ["header fields", HEAD, "X-A: y\r\n"],
  ["one header field", `${HEAD}X-A: `, "y"],
  ["recipients", `${HEAD}Cc: `, "a@b.zz, "],
])("50 MB of %s are read in bounded time", async (_, head, unit) => {
  expect((await quickly(long(head, unit, 50 * MB))).read.truncated).toBe(true);
});

test.each([
  ["groups in addresses", `${HEAD}Cc: `, "g:"],
  ["references", `${HEAD}References: `, "<a@b> "],
  ["open elements", `${HEAD}Content-Type: text/html\r\n\r\n`, "<div>"],
  ["quotes in quotes", `${HEAD}Content-Type: text/html\r\n\r\n`, "<blockquote>x"],
  ["addresses", `${HEAD}\r\n`, "<a@b.zz> "],
  ["words", `Return-Path: <>\r\n${HEAD}\r\n`, "user mailbox not address is "],
  ["dates", `Auto-Submitted: auto-replied\r\n${HEAD}\r\nout of office until `, "1.1. jan 1 - "],
  ["attributions", `${HEAD}\r\n`, "On 2026 a@b.zz wrote\n"],
  ["header blocks", `${HEAD}\r\n`, "From: a\nTo: b\n"],
  ["spaces", `${HEAD}\r\n`, " \t"],
])("400 kB of %s are classified in bounded time", async (_, head, unit) => {
  await quickly(long(head, unit, 400_000));
});

test("multiparts 200 deep are read, and 5,000 deep survived", async () => {
  const nested = (depth: number) =>
    HEAD +
    Array.from(
      { length: depth },
      (_, level) => `Content-Type: multipart/mixed; boundary="b${level}"\r\n\r\n--b${level}\r\n`,
    ).join("") +
    "Content-Type: text/plain\r\n\r\nHello\r\n";
  const { read } = await quickly(encoder.encode(nested(200)));
  expect(read).toMatchObject({ truncated: false });
  expect(read.text.trim()).toBe("Hello");
  expect((await quickly(encoder.encode(nested(5_000)))).read).toMatchObject({
    truncated: true,
    subject: "Re: x",
  });
});

test("messages in messages 200 deep are not opened", async () => {
  let body = "Subject: innermost\n\nhi";
  for (let level = 0; level < 200; level++)
    body = `Subject: ${level}\nContent-Type: message/rfc822\n\n${body}`;
  const { read } = await quickly(rawMail({ headers: ["Content-Type: message/rfc822"], body }));
  expect(read.original).toMatchObject({ subject: "199" });
});

test("a report with 20,000 recipients names 200", async () => {
  const group = "Final-Recipient: rfc822; a@b.zz\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n";
  const head = `Return-Path: <>\r\n${HEAD}Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; x\r\n\r\n`;
  const { read } = await quickly(encoder.encode(`${head}${group.repeat(20_000)}--b--\r\n`));
  expect(read.deliveryStatus?.recipients).toHaveLength(200);
});
