import { dkimVerify } from "mailauth/lib/dkim/verify.js";
import { beforeAll, expect, test } from "vitest";
import {
  type DkimKeyPair,
  dkimRecord,
  type DkimSigner,
  generateDkimKey,
  importDkimKey,
  signDkim,
} from "#src/mime/dkim.ts";
import { buildMime } from "#src/mime/message.ts";

const now = new Date("2026-05-05T10:00:00Z");
let pairs: { rsa: DkimKeyPair; ed25519: DkimKeyPair };
let signers: DkimSigner[];

beforeAll(async () => {
  pairs = { rsa: await generateDkimKey("rsa"), ed25519: await generateDkimKey("ed25519") };
  signers = [
    await importDkimKey("sender.zz", "s1", pairs.rsa),
    await importDkimKey("sender.zz", "s2", pairs.ed25519),
  ];
});

const message = (text = "Hello  there\n\ntwo  spaces \n\n\n") =>
  buildMime({
    from: { name: "Zoë", email: "zoe@sender.zz" },
    to: { email: "ann@example.zz" },
    subject: "A subject that is long enough to be folded over at least two lines of header text",
    messageId: "abc@sender.zz",
    date: now,
    headers: [
      ["List-Unsubscribe", ["<https://link.sender.zz/u/abc>"]],
      ["List-Unsubscribe-Post", ["List-Unsubscribe=One-Click"]],
    ],
    text,
    html: "<p>Hällo</p>",
  });

/** What an independent verifier says of each signature. */
async function verdicts(raw: Uint8Array | string): Promise<string[]> {
  const resolver = (name: string): Promise<string[][]> =>
    Promise.resolve([[dkimRecord(name.startsWith("s1.") ? pairs.rsa : pairs.ed25519)]]);
  const input = typeof raw === "string" ? Buffer.from(raw, "latin1") : Buffer.from(raw);
  const { results } = await dkimVerify(input, { resolver, curTime: now });
  return results.map(({ algo, status }) => `${algo} ${status.result}`);
}

const bothPass = ["ed25519-sha256 pass", "rsa-sha256 pass"];
const text = (bytes: Uint8Array) => new TextDecoder("latin1").decode(bytes);

test("both signatures of a message verify", async () => {
  expect((await verdicts(await signDkim(message(), signers, { now }))).toSorted()).toEqual(
    bothPass,
  );
});

test("messages of any body shape verify", async () => {
  for (const body of [
    "",
    "\n",
    "\n\n\n",
    " \n \t \n",
    "x",
    "x \t y\n\n",
    `${"word ".repeat(400)}\n`,
  ])
    expect((await verdicts(await signDkim(message(body), signers, { now }))).toSorted()).toEqual(
      bothPass,
    );
});

test("an empty body and a header-only message verify", async () => {
  const head = "From: a@sender.zz\r\nSubject: x\r\n";
  for (const end of ["", "\r\n\r\n", "no line end", "spaces at the end \t "]) {
    const raw = `${head}\r\n${end}`;
    expect(
      (await verdicts(await signDkim(new TextEncoder().encode(raw), signers, { now }))).toSorted(),
    ).toEqual(bothPass);
  }
});

test("what relays may do to a message does not break it: folding, trailing blank lines and spaces", async () => {
  const signed = text(await signDkim(message(), signers, { now }));
  const relayed = signed
    .replace("Subject: A subject that", "Subject:   A\r\n\t subject   that")
    .replace(/\r\n$/, "  \r\n\r\n\r\n");
  expect((await verdicts(relayed)).toSorted()).toEqual(bothPass);
});

test("any change to body or signed headers fails, and so does adding one that was absent", async () => {
  const signed = text(await signDkim(message(), signers, { now }));
  const tampered = [
    signed.replace("Hello", "Hallo"),
    signed.replace("A subject", "B subject"),
    signed.replace("/u/abc", "/u/abd"),
    `List-Unsubscribe: <https://evil.zz/>\r\n${signed}`,
    `Cc: someone@else.zz\r\n${signed}`,
    `Reply-To: someone@else.zz\r\n${signed}`,
    `From: other@sender.zz\r\n${signed}`,
    `Subject: another\r\n${signed}`,
    `Content-Type: text/plain\r\n${signed}`,
  ];
  for (const raw of tampered) {
    expect(raw).not.toBe(signed);
    const results = await verdicts(raw);
    expect(results).toHaveLength(2);
    expect(results.some((result) => result.endsWith(" pass"))).toBe(false);
  }
});

test("signature header lines keep to 78 characters and share one body hash", async () => {
  const signed = text(await signDkim(message(), signers, { now }));
  const head = signed.slice(0, signed.indexOf("From:"));
  expect(head.split("\r\n").every(({ length }) => length <= 78)).toBe(true);
  expect(new Set(head.match(/bh=[^;]+/g)).size).toBe(1);
});

test("a record publishes the key in its kind's form", () => {
  expect(dkimRecord(pairs.rsa)).toMatch(/^v=DKIM1; k=rsa; p=MIIBIjAN/);
  expect(dkimRecord(pairs.ed25519)).toMatch(/^v=DKIM1; k=ed25519; p=[A-Za-z0-9+/]{43}=$/);
});
