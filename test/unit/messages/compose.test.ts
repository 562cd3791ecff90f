import * as fc from "fast-check";
import PostalMime, { type Email } from "postal-mime";
import { dkimVerify } from "mailauth/lib/dkim/verify.js";
import { expect, test } from "vitest";
import {
  finishMessage,
  type FinishOptions,
  literalMessage,
  renderMessage,
} from "#src/domain/messages/compose.ts";
import { dkimRecord, generateDkimKey, importDkimKey } from "#src/mime/dkim.ts";
import { MailInputError } from "#src/mime/input-error.ts";
import { renderTemplate } from "#src/domain/senders/templates/template.ts";
import { campaignMessageId } from "#src/domain/messages/email-channel.ts";
import { createTrackTokens } from "#src/domain/messages/tracking/track-token.ts";

const tokens = createTrackTokens(["a secret of enough length"]);
const sendId = "0190b0a0-1234-7abc-8def-0123456789ab";
const trackingBaseUrl = "https://link.sender.zz";
const options: FinishOptions = {
  sendId,
  messageId: "abc@sender.zz",
  from: { name: "Zoë Sender", email: "zoe@sender.zz" },
  to: { email: "ann@example.zz" },
  date: new Date("2026-05-05T10:00:00Z"),
  tracking: { opens: true, clicks: true, patterns: [] },
  tokens,
  trackingBaseUrl,
  postalAddress: "1 High St\nSmalltown",
  feedbackId: "c:w:campaign:overture",
  dkim: [],
};

function rendered(body: string, format: "html" | "text" = "html", subject = "Hi {{ first_name }}") {
  const result = renderMessage(
    { subject, body, format },
    { first_name: "Ann", sender: { full_name: "Zoë" } },
    "seed",
  );
  if (!result.ok) throw new Error(`missing ${result.missing.join()}`);
  return result.message;
}

async function compose(
  body: string,
  extra: Partial<FinishOptions> = {},
  format: "html" | "text" = "html",
) {
  const composed = await finishMessage(rendered(body, format), { ...options, ...extra });
  return { ...composed, mail: await PostalMime.parse(composed.raw) };
}
const headerOf = (mail: Email, name: string) => mail.headers.find(({ key }) => key === name)?.value;
const addressesIn = (html: string, kind: "o" | "c" | "u") =>
  [...html.matchAll(new RegExp(`${trackingBaseUrl}/${kind}/([A-Za-z0-9_-]+)`, "g"))].map(
    (match) => match[1]!,
  );

test("a campaign message: text, tracked links, pixel, footer, and the headers bulk-sender rules want", async () => {
  const { mail, links, html, text } = await compose(
    '<p>Hello {{ first_name }}, <a href="https://acme.zz/?a=1&amp;b=2">look</a></p>',
    {
      thread: { inReplyTo: "<root@sender.zz>", references: ["<root@sender.zz>"] },
      replyTo: { email: "replies@sender.zz" },
    },
  );
  expect(mail).toMatchObject({
    subject: "Hi Ann",
    from: { name: "Zoë Sender", address: "zoe@sender.zz" },
    messageId: "<abc@sender.zz>",
    inReplyTo: "<root@sender.zz>",
    references: "<root@sender.zz>",
    replyTo: [{ address: "replies@sender.zz" }],
  });
  expect(links).toEqual([{ index: 0, url: "https://acme.zz/?a=1&b=2" }]);
  expect(await tokens.read(addressesIn(html, "c")[0]!)).toEqual({
    kind: "click",
    sendId,
    linkIndex: 0,
    url: "https://acme.zz/?a=1&b=2",
  });
  expect(await tokens.read(addressesIn(html, "o")[0]!)).toEqual({ kind: "open", sendId });
  expect(html.trimEnd()).toMatch(/<img [^>]*width="1" height="1" alt="">$/);

  const [unsubscribe] = addressesIn(html, "u");
  expect(await tokens.read(unsubscribe!)).toEqual({ kind: "unsubscribe", sendId });
  expect(headerOf(mail, "list-unsubscribe")).toBe(`<${trackingBaseUrl}/u/${unsubscribe}>`);
  expect(headerOf(mail, "list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
  expect(headerOf(mail, "feedback-id")).toBe("c:w:campaign:overture");
  expect(headerOf(mail, "date")).toBe("Tue, 05 May 2026 10:00:00 +0000");

  // The text alternative comes from the untracked page: readers of plain text see where links go.
  expect(text).toContain("Hello Ann, look (https://acme.zz/?a=1&b=2)");
  expect(text).toContain("1 High St, Smalltown");
  expect(text).toContain(`Unsubscribe (${trackingBaseUrl}/u/${unsubscribe})`);
  expect(mail.text?.trimEnd()).toBe(text);
});

test("without tracking no address but the unsubscribe link is ours", async () => {
  const { html, links } = await compose('<p><a href="https://acme.zz">x</a></p>', {
    tracking: { opens: false, clicks: false, patterns: [] },
  });
  expect(links).toEqual([]);
  expect(html).toContain('<a href="https://acme.zz">x</a>');
  expect([addressesIn(html, "o"), addressesIn(html, "c")]).toEqual([[], []]);
  expect(addressesIn(html, "u")).toHaveLength(1);
});

test("track_clicks false wins over patterns, and patterns choose the links", async () => {
  const body = '<a href="https://acme.zz/a">a</a><a href="https://other.zz">b</a>';
  const patterns = ["acme.zz"];
  expect(
    (await compose(body, { tracking: { opens: false, clicks: true, patterns } })).links,
  ).toEqual([{ index: 0, url: "https://acme.zz/a" }]);
  expect(
    (await compose(body, { tracking: { opens: false, clicks: false, patterns } })).links,
  ).toEqual([]);
});

test("mail that is no campaign's carries neither footer link nor list headers", async () => {
  const { mail, html } = await compose("<p>Hi</p>", { feedbackId: null });
  expect(addressesIn(html, "u")).toEqual([]);
  expect(headerOf(mail, "list-unsubscribe")).toBeUndefined();
  expect(headerOf(mail, "feedback-id")).toBeUndefined();
});

test("a text template keeps its lines, and lead data in it cannot become markup", async () => {
  const result = renderMessage(
    { subject: "s", body: "Hi {{ x }}\nnext\n\nlast", format: "text" },
    { x: "<b>&" },
    "seed",
  );
  if (!result.ok) throw new Error("missing");
  const { html, text } = await finishMessage(result.message, {
    ...options,
    feedbackId: null,
    postalAddress: "",
  });
  expect(html).toContain("<p>Hi &lt;b&gt;&amp;<br>\nnext</p>\n<p>last</p>");
  expect(text.trimEnd()).toBe("Hi <b>&\nnext\n\nlast");
});

test("a link whose scheme comes from lead data is dropped by the sanitiser", () => {
  const result = renderMessage(
    { subject: "s", body: '<a href="{{ site }}">x</a>', format: "html" },
    { site: "javascript:alert(1)" },
    "seed",
  );
  expect(result).toMatchObject({ ok: true, message: { html: "<a>x</a>" } });
});

test("missing variables of subject and body are named once", () => {
  expect(
    renderMessage({ subject: "{{ a }}", body: "{{ a }} {{ b }}", format: "text" }, {}, "seed"),
  ).toEqual({ ok: false, missing: ["a", "b"] });
});

test("pixel and footer go inside the body of a whole page", async () => {
  const { html } = await compose("<html><body><p>x</p></BODY></html>");
  expect(html.indexOf("<img")).toBeGreaterThan(html.indexOf("Unsubscribe"));
  expect(html).toMatch(/alt=""><\/BODY><\/html>$/);
});

test("letters that are longer in lower case do not move footer and pixel out of the body", async () => {
  const { html } = await compose(`<html><body><p>${"İ".repeat(9)}</p></BODY></html>`);
  expect(html).toMatch(/Unsubscribe<\/a><\/p>\n<img [^>]+><\/BODY><\/html>$/);
});

test("a preview is what gets sent: the same seed renders alike, and the same input gives the same bytes", async () => {
  const body = "<p>{Hi|Hello|Hey} {there|you}</p>";
  expect(rendered(body)).toEqual(rendered(body));
  expect((await compose(body)).raw).toEqual((await compose(body)).raw);
});

test("a composed message is signed over its list headers, and both signatures verify", async () => {
  const pairs = [await generateDkimKey("rsa"), await generateDkimKey("ed25519")];
  const dkim = await Promise.all(
    pairs.map((pair, index) => importDkimKey("sender.zz", `s${index}`, pair)),
  );
  const { raw } = await compose('<p>Grüße <a href="https://acme.zz">x</a></p>', { dkim });
  const resolver = (name: string) => Promise.resolve([[dkimRecord(pairs[Number(name[1])]!)]]);
  const verify = async (bytes: string) => {
    const { results } = await dkimVerify(Buffer.from(bytes, "latin1"), {
      resolver,
      curTime: options.date,
    });
    return results.map(({ status }) => status.result);
  };
  const text = new TextDecoder("latin1").decode(raw);
  expect(await verify(text)).toEqual(["pass", "pass"]);
  expect(
    await verify(text.replace("List-Unsubscribe=One-Click", "List-Unsubscribe=None")),
  ).not.toContain("pass");
});

test("no field of a message lets a header in", async () => {
  const evil = "x\r\nBcc: victim@example.zz";
  const message = rendered("<p>x</p>");
  const attempts: [typeof message, Partial<FinishOptions>][] = [
    [{ ...message, subject: evil }, {}],
    [message, { from: { name: evil, email: "a@b.zz" } }],
    [message, { to: { email: evil } }],
    [message, { replyTo: { email: `a@b.zz\r\nBcc: c@d.zz` } }],
    [message, { messageId: evil }],
    [message, { thread: { inReplyTo: evil, references: [] } }],
    [message, { thread: { inReplyTo: "a@b", references: [evil] } }],
    [message, { feedbackId: evil }],
    [message, { trackingBaseUrl: `https://x.zz/${evil}` }],
  ];
  for (const [source, extra] of attempts)
    await expect(finishMessage(source, { ...options, ...extra })).rejects.toThrow(MailInputError);
});

test("a Message-ID belongs to lead and step, whatever the attempt", async () => {
  const id = await campaignMessageId(sendId, 1, "sender.zz");
  expect(id).toMatch(/^[0-9a-f]{32}@sender\.zz$/);
  expect(await campaignMessageId(sendId, 1, "sender.zz")).toBe(id);
  expect(await campaignMessageId(sendId, 2, "sender.zz")).not.toBe(id);
});

test("an approved text goes out as it was approved: no Liquid, no spintax, bytes kept", () => {
  const body =
    '<p class="x">Use {{ braces }} and {a|b}, & <a href="https://acme.zz/?a=1&b=2">this</a></p>';
  expect(literalMessage({ subject: "Hi {{ x }}", body, format: "html" })).toEqual({
    subject: "Hi {{ x }}",
    html: body,
  });
});

test("the text of a plain message is that text, runs of blanks and all, with the footer behind it", async () => {
  const body = "Dear Ann,\r\n\r\n  Item       Price\n  Engine     1,200\n\n\n\nBye  -  Zoë";
  const message = literalMessage({ subject: "S", body, format: "text" });
  const { text, html } = await finishMessage(message, options);
  const plain = body.replaceAll("\r\n", "\n");
  expect(text.startsWith(`${plain}\n\n1 High St, Smalltown`)).toBe(true);
  expect(text).toMatch(/Unsubscribe \(https:\/\/link\.sender\.zz\/u\//);
  expect(html).toContain("<p>Dear Ann,</p>");
  const { postalAddress: _, ...withoutAddress } = options;
  const bare = await finishMessage(message, { ...withoutAddress, feedbackId: null });
  expect(bare.text).toBe(plain);
});

test("a page is as sanitising leaves it, wherever its variables stand and whatever they hold", () => {
  const piece = fc.constantFrom(
    ...[
      "<p>",
      "</p>",
      "<b",
      ">",
      "<",
      "</",
      "{{ a }}",
      "{{ b }}",
      " ",
      "&",
      ";",
      "lt",
      "x",
      "'",
      '"',
    ],
    ...[
      "<style>",
      "</style>",
      "<title>",
      "</ti",
      "tle>",
      "<script>",
      "</script>",
      "<a href=",
      "<!",
      "<!doctype ",
      "<!--",
      "-->",
    ],
    ...[
      "<p>Hi {{ a }},</p>",
      '<a href="https://a.zz/">{{ b }}</a>',
      "<style>p { color: {{ a }} }</style>",
    ],
  );
  const value = fc.oneof(
    fc.constantFrom(
      "Ann",
      "p",
      "tle",
      "script",
      "<b>",
      "</title>",
      "a & b",
      "url(x)",
      "\uE000",
      "!--",
      "doctype",
    ),
    fc.string({ minLength: 1 }).filter((text) => text.trim() !== ""),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), value, value, (pieces, a, b) => {
      const source = { subject: "s", body: pieces.join(""), format: "html" as const };
      const rendered = renderTemplate(source.body, { a, b }, "html", "seed/body");
      if (!rendered.ok) return;
      const page = literalMessage({ ...source, body: rendered.text });
      expect(renderMessage(source, { a, b }, "seed")).toEqual({ ok: true, message: page });
    }),
    { numRuns: 5_000 },
  );
});
