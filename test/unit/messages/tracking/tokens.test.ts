import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  cellOfToken,
  createTrackTokens,
  numberOfCell,
  type TrackToken,
} from "#src/domain/messages/tracking/track-token.ts";

const tokens = createTrackTokens(["a secret of enough length"]);
const sendId = "0190b0a0-1234-7abc-8def-0123456789ab";

test("a token says what was signed, whatever the URL", async () => {
  const token = fc.oneof(
    fc.record({
      kind: fc.constantFrom("open" as const, "unsubscribe" as const),
      sendId: fc.uuid(),
    }),
    fc.record({
      kind: fc.constant("click" as const),
      sendId: fc.uuid(),
      linkIndex: fc.integer({ min: 0, max: 255 }),
      url: fc.webUrl({ withQueryParameters: true, withFragments: true }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(token, async (value: TrackToken) => {
      expect({ ...(await tokens.read(await tokens.sign(value))) }).toEqual({ ...value });
    }),
  );
});

test("an open token has 39 characters, one for a URL of 28 has 76", async () => {
  expect(await tokens.sign({ kind: "open", sendId })).toHaveLength(39);
  expect(
    await tokens.sign({ kind: "click", sendId, linkIndex: 3, url: "https://acme.example/pricing" }),
  ).toHaveLength(76);
});

test("a token with any one bit changed, cut, or made longer is nobody's", async () => {
  const token = await tokens.sign({
    kind: "click",
    sendId,
    linkIndex: 1,
    url: "https://acme.zz/?a=b",
  });
  const bytes = Buffer.from(token, "base64url");
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const forged = Buffer.from(bytes);
    forged[bit >> 3]! ^= 1 << (bit & 7);
    expect(await tokens.read(forged.toString("base64url"))).toBeNull();
  }
  for (const forged of [
    token.slice(0, -2),
    `${token}AA`,
    "",
    "x",
    "../../etc",
    `${token}=`,
    "A".repeat(10_000),
    token.slice(0, 30),
  ])
    expect(await tokens.read(forged)).toBeNull();
});

test("another secret's token is nobody's, a retired secret's still is read", async () => {
  const token = await createTrackTokens(["the secret before this one"]).sign({
    kind: "open",
    sendId,
  });
  expect(await tokens.read(token)).toBeNull();
  expect(
    await createTrackTokens(["a secret of enough length", "the secret before this one"]).read(
      token,
    ),
  ).toEqual({ kind: "open", sendId });
});

test("a click token never names another scheme, even if somebody signs one", async () => {
  for (const url of ["javascript:alert(1)", "data:text/html,x", "//acme.zz", "https://"])
    expect(
      await tokens.read(await tokens.sign({ kind: "click", sendId, linkIndex: 0, url })),
    ).toBeNull();
});

test("a token says in which cell it was made, whatever it is of, and has no character more for it", async () => {
  const named = createTrackTokens(["a secret of enough length"], numberOfCell("big"));
  for (const token of [
    { kind: "open", sendId },
    { kind: "unsubscribe", sendId },
    { kind: "click", sendId, linkIndex: 3, url: "https://acme.example/pricing" },
  ] as const) {
    const text = await named.sign(token);
    expect(cellOfToken(text)).toBe(numberOfCell("big"));
    // A cell of another name reads it, and one of none.
    expect({ ...(await tokens.read(text)) }).toEqual(token);
    const plain = await tokens.sign(token);
    expect(cellOfToken(plain)).toBe(0);
    expect(text).toHaveLength(plain.length);
  }
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(cellOfToken(text)).toBeGreaterThanOrEqual(0);
      expect(cellOfToken(text)).toBeLessThanOrEqual(63);
    }),
  );
});
