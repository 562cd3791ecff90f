import { expect, test, vi } from "vitest";
import { openRows } from "#src/domain/people/leads/import-rows.ts";
import { emptyTally, takeRow } from "#src/domain/people/leads/import-tally.ts";
import { buildPrompt } from "#src/domain/research/personalization/build-prompt.ts";
import { faultsOf } from "#src/domain/research/personalization/check-draft.ts";
import { givenOf } from "#src/domain/research/personalization/checks/check.ts";
import { claimsOf } from "#src/domain/research/personalization/claims.ts";
import type { DraftRequest } from "#src/domain/research/personalization/draft.ts";
import { readAnswer } from "#src/domain/research/personalization/output.ts";
import { requiredVariables } from "#src/domain/senders/templates/required-variables.ts";
import { renderTemplate, templateVariables } from "#src/domain/senders/templates/template.ts";
import { TemplateError } from "#src/domain/senders/templates/template-error.ts";
import { ourRules } from "#src/domain/research/personalization/research/our-rules.ts";
import { forbids } from "#src/domain/research/personalization/research/robots.ts";
import { readPage } from "#src/domain/research/personalization/research/read-page.ts";
import { expandSpintax } from "#src/domain/senders/templates/spintax.ts";
import { classifyInbound } from "#src/domain/replies/inbound/classify.ts";
import { readIntent } from "#src/domain/replies/inbound/intent.ts";
import { asksToStop } from "#src/domain/replies/inbound/opt-out.ts";
import { parseInbound } from "#src/domain/replies/inbound/parse.ts";
import { prefilter } from "#src/domain/research/verification/prefilter/prefilter.ts";
import { rewriteLinks } from "#src/domain/messages/tracking/rewrite-links.ts";
import { readCsv } from "#src/csv/read.ts";
import { createJsonRowsReader } from "#src/http/json-rows.ts";
import { bodyFormat } from "#src/mime/body-format.ts";
import { emailKey } from "#src/mime/email-key.ts";
import { headerLine, textTokens } from "#src/mime/headers.ts";
import { htmlToText } from "#src/mime/html-to-text.ts";
import { quotedPrintable } from "#src/mime/quoted-printable.ts";
import { readAggregateReport } from "#src/domain/senders/reports/aggregate-report.ts";
import { ReportRefused, unpackReports } from "#src/domain/senders/reports/unpack.ts";
import { sanitizeHtml } from "#src/mime/sanitize-html.ts";
import { textToHtml } from "#src/mime/text-to-html.ts";
import { htmlToVisibleText } from "#src/mime/visible-text.ts";
import { seen } from "#src/mcp/fence.ts";
import { readTxt } from "#src/providers/dns/dns-json.ts";
import { createReplyParser } from "#src/providers/mail/smtp-replies.ts";
import { costMs, leastCostMs } from "../support/cost.ts";
import { inFull } from "../support/full.ts";
import { patience } from "../support/patience.ts";

vi.setConfig({ testTimeout: patience(120_000) });

/** What takes less than this is not looked at: a collection of garbage falls into one text and not into another. */
const NOISE_MS = 30;
const ROUNDS = 5;
/** What looks worse after those is looked at so much longer: on a shared processor the same work takes twice as long for seconds. */
const MORE_ROUNDS = 10;
/** What eight times the text may cost beyond eight times the time: its square would cost eight times that. */
const GRACE = 4;

type Work = (text: string) => unknown;
const encoder = new TextEncoder();

/**
 * Twice the text takes at most three times the time, but for noise, in the best of some
 * rounds. What looks worse is judged over three doublings: once a text's objects outlive the
 * young generation, collecting them makes one doubling cost five times (24 kB of `{{ a | upcase }}`),
 * and only growth that is worse than linear goes on so.
 */
async function expectLinear(
  work: Work,
  unit: string,
  longest: number,
  head = "",
  tail = "",
  { halves = 1, more = MORE_ROUNDS } = {},
) {
  const size = inFull(longest, longest / 2);
  const textOf = (length: number) => head + unit.repeat(Math.ceil(length / unit.length)) + tail;
  const least = { whole: Infinity, half: Infinity, eighth: Infinity };
  const take = async (part: keyof typeof least, length: number) => {
    const text = textOf(length);
    return (least[part] = Math.min(least[part], await costMs(() => work(text))));
  };
  for (let round = 1; round <= ROUNDS + more; round++) {
    if ((await take("whole", size)) < NOISE_MS) return;
    for (let again = 0; again < halves; again++) await take("half", size / 2);
    if (least.whole < 3 * least.half + NOISE_MS) return;
    for (let again = 0; again < 3; again++) await take("eighth", size / 8);
    if (round >= ROUNDS && least.whole < 8 * GRACE * least.eighth + NOISE_MS) return;
  }
  expect.fail(
    `${JSON.stringify(unit)} takes, for a text and one eight times as long, ${least.eighth} and ${least.whole} ms`,
  );
}

test("a work that grows with the square of its text is noticed", async () => {
  const square = (text: string) => text.match(/<(?=[^>]*!)/g);
  // A processor that others share may take a third more for once, and a square would pass.
  await expect(expectLinear(square, "<", 60_000, "", "", { halves: 3, more: 0 })).rejects.toThrow(
    "eight times as long",
  );
  await expectLinear((text) => text.match(/</g), "<", 40_000);
});

const refused =
  (work: Work): Work =>
  (text) => {
    try {
      return work(text);
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      return error;
    }
  };

const links = (html: string) =>
  rewriteLinks(html, { patterns: ["acme.zz/*", "!x.zz"], ownPrefixes: ["https://t.zz/"] }, () =>
    Promise.resolve("https://t.zz/c/1"),
  );

/** Pieces that pages are made of, and those that only an attacker repeats. */
const HTML_UNITS = [
  ...["<", "<!", "<!--", "<a", "<a ", "<a href='http://a.zz/'>x", "<a href='http://a.zz/'>x</a>"],
  ...["</a>", "<b></i>", "<b>", "<b>x</b>", "<td>x", "<li>x", "<ul>", "<blockquote>x"],
  ...["<pre>x\n", "<style>", "<svg>", "<br>", "&amp;", "&lt", "&", " a=b", "' ", "x ", "\n"],
];

test.each(HTML_UNITS)("a page of %j costs in proportion to its length", async (unit) => {
  for (const work of [sanitizeHtml, htmlToText, links, bodyFormat, readPage])
    await expectLinear(work, unit, 80_000, "<p>x");
  await expectLinear((html) => sanitizeHtml(`<p style="${html}" ${html}>`), unit, 80_000);
});

test.each(["<b>", "</b>", "<p hidden>", "<p style='display:none'>x", "<br hidden>", "<", "x "])(
  "what a page of %j shows is told in proportion to its length",
  async (unit) => {
    await expectLinear(htmlToVisibleText, unit, 80_000, "<p>x");
  },
);

test.each(["/*", "font:", ";color:#fff", "font-size:0", "*/", ":0", "left:-"])(
  "a style of %j costs in proportion to its length",
  async (unit) => {
    await expectLinear((style) => htmlToVisibleText(`<p style="${style}">x`), unit, 80_000);
  },
);

test.each(["\n", "\n ", " ", "\n \n", "\u200b", "\ufe0f", "\t\n"])(
  "a text of %j is told in proportion to its length",
  async (unit) => {
    await expectLinear(seen, unit, 80_000, "x");
  },
);

test.each(["{", "[", '"', "1", '{"a":', '{"a":1},', '"\\\\",', "[[]],", " ", ",", "\n1,"])(
  "rows of JSON that are %j cost in proportion to their length",
  async (unit) => {
    const read = (text: string) => {
      const refuse = (why: string) => new SyntaxError(why);
      const limits = { items: 1e7, characters: 1e7, refuse };
      const reader = createJsonRowsReader("rows", limits);
      try {
        for (let at = 0; at < text.length; at += 4096) reader.push(text.slice(at, at + 4096));
        return reader.end();
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        return error;
      }
    };
    await expectLinear(read, unit, 1_000_000, '{"rows":[');
    await expectLinear(read, unit, 1_000_000);
  },
);

test.each([
  "<a>",
  "<a></a>",
  "<record/>",
  "<",
  "&amp;",
  "<!--",
  "]]",
  " a='b'",
  "{",
  "[",
  "\n",
  "x",
])("a report of %j costs in proportion to its length", async (unit) => {
  const read = (text: string) => {
    try {
      return readAggregateReport({ text: () => [text] });
    } catch (error) {
      if (!(error instanceof ReportRefused)) throw error;
      return error;
    }
  };
  for (const head of ["<feedback>", "<feedback ", "<feedback><!--", "<feedback><![CDATA["])
    await expectLinear(read, unit, 400_000, head);
  await expectLinear(
    async (text) => unpackReports(encoder.encode(text)).catch(() => {}),
    unit,
    400_000,
    "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\n",
  );
});

test("a robots.txt costs in proportion to its length", async () => {
  const ask = (text: string) => {
    const rules = ourRules(text);
    for (const path of ["/", `/${"a".repeat(99)}`, "/about", "/news"])
      forbids(rules, new URL(path, "https://a.zz"));
  };
  const agents = "User-agent: *\n";
  for (const unit of [agents, "Disallow: /a\n", "Disallow: /*a*a*a$\n", "*", "\n", ": ", "#", " "])
    await expectLinear(ask, unit, 200_000, agents);
  // Agents and rules beside each other, which a library may multiply.
  for (const size of [2_000, 4_000]) {
    const text = agents.repeat(size) + "Allow: /a\n".repeat(size);
    expect(await leastCostMs(() => ask(text))).toBeLessThan(1_000);
  }
});

test.each([
  ["stars", "*"],
  ["stars and letters", `${"*a".repeat(500)}z\nDisallow: /`],
  ["stars and letters that are encoded", `${"*é".repeat(500)}z\nDisallow: /`],
])(
  "rules of 512 kB of %s and the long path of a redirect are judged in a moment",
  async (_, unit) => {
    const text = `User-agent: *\nDisallow: /${unit.repeat(512_000 / unit.length)}z$\n`;
    const url = new URL(`https://a.zz/${"aé".repeat(2_000)}`);
    expect(await leastCostMs(() => forbids(ourRules(text), url))).toBeLessThan(1_000);
  },
);

test.each([
  "http://",
  "https://a.zz/) ",
  "https://a.zz",
  "(",
  ")",
  ".",
  "!",
  "\n\n",
  "\r\n",
  "<",
  "h",
])("a text of %j as a page costs in proportion to its length", (unit) =>
  expectLinear(textToHtml, unit, 80_000, "https://a.zz/("),
);

test.each([
  ["plain text", "\r\n"],
  ["page", "Content-Type: text/html\r\n\r\n"],
  ["quote that has an attribute", "Content-Type: text/html\r\n\r\n<blockquote style='margin"],
  ["text under a formula", "\r\nHi\n\nthanks"],
  ["name under a formula", "\r\nHi\n\nRegards\nA"],
  ["line under two labels", "\r\nFrom: a\nSent: b\n"],
  ["header", "X-A: "],
  ["list of recipients", "Cc: "],
  ["subject", "Subject: "],
  ["part", "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: "],
])("a stranger's mail with a long %s costs in proportion to it", async (_, head) => {
  const mail = async (text: string) => classifyInbound(await parseInbound(encoder.encode(text)));
  const start = "From: a@lead.zz\r\nTo: b@sender.zz\r\n";
  const units = ["<", ":", "-a", " ", "margin", "a.", "@a.", "> x\n", "a:\n", "\n", "=?a?b?c"];
  for (const unit of units) await expectLinear(mail, unit, 30_000, start + head, "\u0001!");
});

test.each([
  ["notice of failure", "Return-Path: <>\r\nFrom: MAILER-DAEMON@x.zz\r\nSubject: Undelivered"],
  ["responder's mail", "Auto-Submitted: auto-replied\r\nFrom: a@x.zz\r\nSubject: away until"],
])("a %s costs in proportion to its length", async (_, head) => {
  const mail = async (text: string) => classifyInbound(await parseInbound(encoder.encode(text)));
  const units = [
    "550 ",
    "5.1.1 ",
    "user ",
    ">>> data ",
    "the ",
    "until ",
    "1.1. ",
    "a@b.zz ",
    "(",
    " ",
  ];
  for (const unit of units) await expectLinear(mail, unit, 30_000, `${head}\r\n\r\n`, "\u0001");
});

test.each([
  ...["stop ", "please remove me ", "don't ", "send me ", "from your list ", "bitte nicht "],
  ...["keine mails ", "no me ", "ne m'", "geen mails ", "не ", "停", "メール", "a.\n", '"', "„"],
  ...[
    ", ",
    "hi. ",
    "unsubs",
    "yes do ",
    "wish no ",
    "nicht mehr ",
    "lütfen bana ",
    "not no ",
    "ask my ",
    "next year ",
  ],
])("what a reply of %j asks for costs in proportion to its length", async (unit) => {
  // What is looked at is bounded, so the bound is filled many times.
  const often = (text: string) => {
    for (let round = 0; round < 20; round++) readIntent(text, asksToStop(text));
  };
  often("");
  await expectLinear(often, unit, 1_500, "", "\u0001");
});

test.each([
  [
    "multipart/mixed",
    "--p\r\nContent-Type: message/rfc822\r\n\r\nContent-Type: multipart/report\r\n\r\nx\r\n",
  ],
  [
    "multipart/mixed",
    "--p\r\nContent-Type: message/rfc822\r\n\r\nContent-Type: multipart/mixed; boundary=p\r\n\r\n",
  ],
])(
  "a notice of %s with attached reports costs in proportion to their number: %j",
  async (type, unit) => {
    const head = `Return-Path: <>\r\nFrom: MAILER-DAEMON@x.zz\r\nContent-Type: ${type}; boundary=p\r\n\r\n`;
    const read = async (text: string) => classifyInbound(await parseInbound(encoder.encode(text)));
    await expectLinear(read, unit, 60_000, head, "--p--\r\n");
  },
);

test.each([
  ["resolver", "dns "],
  ["resolver", "temporary "],
  ["resolver", "lookup name "],
  ["recipients", "<a@b.zz>: no\n"],
])("a notice that names %s by %j costs in proportion to its length", async (_, unit) => {
  const head = "Return-Path: <>\r\nFrom: MAILER-DAEMON@x.zz\r\nSubject: Undelivered\r\n\r\n";
  const read = async (text: string) => classifyInbound(await parseInbound(encoder.encode(text)));
  await expectLinear(read, unit, 30_000, head, "\u0001");
});

test.each([
  "{{a}}",
  "{{a}}\n\n\n",
  "{% if a %}x{% endif %}",
  "{% endif %}",
  "{{ a | upcase }}",
  "{a|b}",
  "{",
  "{{",
])("a template of %j costs in proportion to its length", async (unit) => {
  const render = refused((text) => renderTemplate(text, {}, "html", "seed"));
  for (const work of [render, refused(templateVariables), refused(requiredVariables)])
    await expectLinear(work, unit, 48_000);
  await expectLinear((text) => expandSpintax(text, "seed"), unit, 48_000);
});

test.each(['"', '""', ",", '","', "a,b\n", "\r", " ", "é", "=", "\\1", '"a" ', "250-x\r\n", "a@"])(
  "%j over and over costs in proportion in a file, a record, a reply, a header and an address",
  async (unit) => {
    const csv = async (text: string) => {
      const bytes = (async function* () {
        yield encoder.encode(text);
      })();
      try {
        for await (const records of readCsv(bytes)) void records;
      } catch (error) {
        expect(error).toMatchObject({ name: "CsvFault" });
      }
    };
    const reply = (text: string) => {
      const replies = createReplyParser();
      try {
        for (let at = 0; at < text.length; at += 100) {
          replies.push(encoder.encode(text.slice(at, at + 100)));
          while (replies.take() !== null);
        }
      } catch (error) {
        expect(error).toMatchObject({ name: "SmtpProtocolError" });
      }
    };
    const header = (text: string) => headerLine("Subject", textTokens("Subject", text));
    for (const work of [csv, readTxt, reply, quotedPrintable, emailKey, prefilter])
      await expectLinear(work, unit, 60_000);
    if (!/[\r\n]/.test(unit)) await expectLinear(header, unit, 12_000, "é");
  },
);

const row = (keys: readonly string[]) =>
  JSON.stringify(Object.fromEntries(keys.map((key) => [key, "a@b.zz"])));
/** Keys that are all the same once they are folded, so that each needs a name of its own. */
const folding = Array.from({ length: 400 }, (_, n) => `Size${"-".repeat(n)}`);
/** More shapes of row than are remembered. */
const shapes = Array.from({ length: 300 }, (_, n) => row(["email", `k${n}`, `k${n + 1}`]));

test.each([
  ["alike", row(["email", "first_name", "Company", "size"])],
  ["of many shapes", shapes.join()],
  ["whose keys fold to one", row(["email", ...folding])],
])("rows of JSON that are %s cost in proportion to their number", async (_, unit) => {
  const work = async (text: string) => {
    const tally = emptyTally();
    const rows = JSON.parse(`[${text}{"email":"last@b.zz"}]`);
    for await (const piece of openRows(rows, "api").open({}, {}).rows)
      for (const each of piece) takeRow(tally, each);
  };
  await expectLinear(work, `${unit},`, 2_000_000);
});

const requestOf = (text: string): DraftRequest => ({
  prompt: { text, source: "custom_override" },
  lead: { first_name: text, notes: text },
  sender: { full_name: "Jo Doe", bio: text },
  template: { subject: text, body: text },
  continuesThread: false,
  research: {
    text,
    sources: [{ name: "website", status: "ok", summary: text, meta: {}, from_cache: false }],
    latencyMs: 0,
    fromCache: false,
    cachedAt: null,
    zeroReason: null,
  },
});
const MARKS = { nonce: "0123456789abcdef", canary: "ref-0123456789ab" };
const NOTHING = givenOf(requestOf(""), MARKS);

/** Pieces that prompts, checks and claims stop at. */
const DRAFT_UNITS = [
  ...["a", "a ", " ", "\n", "\n\n", ".", "a.", "a.b", "1", "1 ", "1,", "1.", "1-", "(1", "$1 "],
  ...["1 march ", "A 1 march 2 two ", "march ", "1.1.2020 ", "@", "a@", "http://", "h", "["],
  ...["[a", "{", "{}", "<", "<a", "&", "**", "|", "| ", "_", "X", "A ", "A-", "A of ", "A_", '"'],
  ...["'", "'a", "“", "„a", "two ", "hundert", "und", "write ", "write: ", "ignore "],
  ...["you must ", "ai ", "on a", "from: ", "best\n", "Hi A", "my name is A ", "dot ", "\u200b"],
  ...["\u0661", "\ud83d\ude00", "\u4e00", "\u0430a", "%a", "=", "-", ">", "Ａ"],
];

test.each(DRAFT_UNITS)("a draft and its facts of %j cost in proportion to them", async (unit) => {
  const checks = (text: string) => faultsOf({ subject: text, body: text }, NOTHING);
  const given = (text: string) => {
    const request = requestOf(text);
    return faultsOf({ subject: "A", body: "x ".repeat(20) }, givenOf(request, MARKS));
  };
  const claims = (text: string) => claimsOf(text, [{ name: "lead_data", text }]);
  const prompt = (text: string) => buildPrompt("workspace", requestOf(text));
  for (const work of [checks, given, claims, prompt]) await expectLinear(work, unit, 20_000);
  for (const work of [checks, claims]) await expectLinear(work, unit, 20_000, "A\n", "!x");
});

test.each(["{", "{}", '{"', '{"a":', "[", '"', "\\", '{"subject":"', "```"])(
  "an answer of %j costs in proportion to its length",
  (unit) => expectLinear(readAnswer, unit, 80_000),
);

const ONE_SECOND = 1_000;

test.each<[string, () => unknown]>([
  ["a body of 2 MB of open brackets", () => htmlToText("<".repeat(2_000_000))],
  ["a body of 2 MB of tags that nothing closes", () => sanitizeHtml("<b></i>".repeat(285_000))],
  ["a mail of 400 kB of colons", () => mailOf(":".repeat(400_000))],
  ["a mail of 400 kB of lines that end in one", () => mailOf("a:\n".repeat(133_000))],
  [
    "a mail of closing formulas, each above a name of many hyphens",
    () => mailOf(`Hi\n${`\nRegards\nA${"-a".repeat(40)}!`.repeat(15)}`),
  ],
  [
    "a text with 100 variables in 4,000 places",
    () =>
      requiredVariables(Array.from({ length: 4_000 }, (_, at) => `{{ v${at % 100} }}`).join("")),
  ],
  [
    "a text with 100 variables under conditions",
    () =>
      requiredVariables(
        `{a|b}${Array.from({ length: 1_300 }, (_, at) => `{% if v${at % 100} %}{{ v${at % 100} }}{% endif %}`).join("")}`,
      ),
  ],
])("%s takes less than a second", async (_, work) => {
  expect(await leastCostMs(work)).toBeLessThan(ONE_SECOND);
});

const mailOf = async (text: string) =>
  classifyInbound(await parseInbound(encoder.encode(`From: a@lead.zz\r\n\r\n${text}`)));
