// CPU per message of the mail path. Run: node test/bench/mail-cpu.ts (Node 24). Medians of five rounds.
import { finishMessage, renderMessage } from "../../src/domain/mail/compose.ts";
import { generateDkimKey, importDkimKey, signDkim } from "../../src/domain/mail/dkim.ts";
import { buildMime } from "../../src/domain/mail/mime.ts";
import { rewriteLinks } from "../../src/domain/mail/rewrite-links.ts";
import { createTrackTokens } from "../../src/domain/mail/track-token.ts";

const paragraph = `<p style="color:#222">Hello {{ first_name }}, Grüße and some words to fill the line. {One|Two}.</p>`;
const link = '<a href="https://acme.example/pricing?a=1&amp;b=2">pricing</a>';
const body = `<html><body>${link}${paragraph.repeat(28)}${link}</body></html>`;
const date = new Date("2026-05-05T10:00:00Z");
const tokens = createTrackTokens("a secret of enough length");
const sendId = "0190b0a0-1234-7abc-8def-0123456789ab";
const rsa = await importDkimKey("sender.zz", "s1", await generateDkimKey("rsa"));
const ed25519 = await importDkimKey("sender.zz", "s2", await generateDkimKey("ed25519"));

const render = () => {
  const result = renderMessage(
    { subject: "Hi {{ first_name }}", body, format: "html" },
    { first_name: "Ann" },
    "seed",
  );
  if (!result.ok) throw new Error(result.missing.join());
  return result.message;
};
const message = render();
const envelope = {
  messageId: "abc@sender.zz",
  from: { name: "Zoë Sender", email: "zoe@sender.zz" },
  to: { email: "ann@example.zz" },
  date,
};
const build = () =>
  buildMime({
    ...envelope,
    subject: "Grüße",
    text: "Hello Ann, Grüße.\n".repeat(70),
    html: message.html,
  });
const raw = build();
const address = async ({ index, url }: { index: number; url: string }) =>
  `https://link.sender.zz/c/${await tokens.sign({ kind: "click", sendId, linkIndex: index, url })}`;

async function measure(name: string, work: () => unknown): Promise<void> {
  const runs = 300;
  for (let n = 0; n < 100; n++) await work();
  const rounds: number[] = [];
  for (let round = 0; round < 5; round++) {
    const before = process.cpuUsage();
    for (let n = 0; n < runs; n++) await work();
    const { user, system } = process.cpuUsage(before);
    rounds.push((user + system) / 1000 / runs);
  }
  console.log(`${name.padEnd(44)} ${rounds.toSorted((a, b) => a - b)[2]!.toFixed(3)} ms CPU`);
}

console.log(`HTML ${message.html.length} bytes, message ${raw.length} bytes`);
await measure("render (spintax, Liquid, sanitise)", render);
await measure("rewrite, 2 links, tokens signed", () =>
  rewriteLinks(message.html, { patterns: [], ownPrefixes: [] }, address),
);
await measure("build", build);
await measure("build + DKIM RSA-2048", () => signDkim(build(), [rsa], { now: date }));
await measure("build + DKIM RSA-2048 + Ed25519", () =>
  signDkim(build(), [rsa, ed25519], { now: date }),
);
await measure("finish (footer, text, links, MIME, RSA-2048)", () =>
  finishMessage(message, {
    ...envelope,
    sendId,
    tracking: { opens: true, clicks: true, patterns: [] },
    tokens,
    trackingBaseUrl: "https://link.sender.zz",
    feedbackId: "c:w:campaign:overture",
    dkim: [rsa],
  }),
);
