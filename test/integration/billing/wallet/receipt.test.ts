/** What a payer can show later: the deployment's signature of a paid call, judged by the protocol's own package. */
import {
  canonicalize,
  extractPublicKeyFromKid,
  type JWSSignedReceipt,
  verifyReceiptSignatureJWS,
} from "@x402/extensions/offer-receipt";
import { compactVerify, importJWK } from "jose";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { createSigningKey, type PublicJwk } from "#src/platform/signing-key.ts";
import { PUBLIC_BASE_URL, startApi } from "../../../support/api.ts";
import { type Bought, startWalletSetting, type WalletSetting } from "../../../support/wallet.ts";

const SEARCH = "/api/x402/v1/prospects/search";
const DID = "/.well-known/did.json";

let world: WalletSetting;
beforeAll(async () => {
  world = await startWalletSetting();
});
afterAll(() => world.close());
afterEach(() => vi.restoreAllMocks());

const signed = ({ receipt }: Bought): JWSSignedReceipt =>
  (receipt!.extensions!["offer-receipt"] as { info: { receipt: JWSSignedReceipt } }).info.receipt;

interface IssuerDocument {
  id: string;
  assertionMethod: string[];
  verificationMethod: [{ id: string; controller: string; publicKeyJwk: PublicJwk }];
}
const document = async () =>
  (await (await world.api.request(DID)).json()) as unknown as IssuerDocument;
const publicKey = async () => (await document()).verificationMethod[0].publicKeyJwk;

test("a stranger finds the key by the receipt alone, and needs nothing but the key afterwards", async () => {
  const buyer = await world.buyer();
  const bought = await buyer.buy(SEARCH, { tags: ["fintech"] });
  expect(bought.status).toBe(200);
  const receipt = signed(bought);
  const { kid } = JSON.parse(Buffer.from(receipt.signature.split(".")[0]!, "base64").toString());
  const asked = vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    expect(String(input)).toBe(PUBLIC_BASE_URL.replace("http:", "https:") + DID);
    return world.api.request(DID);
  });
  const found = await extractPublicKeyFromKid(kid);
  expect(asked).toHaveBeenCalledTimes(1);
  const payload = await verifyReceiptSignatureJWS(receipt, found);
  expect(payload).toEqual({
    version: 1,
    network: "eip155:8453",
    resourceUrl: PUBLIC_BASE_URL + SEARCH,
    payer: buyer.address.toLowerCase(),
    issuedAt: expect.closeTo(world.api.deps.clock.now().getTime() / 1000, -2),
    transaction: bought.receipt!.transaction,
  });
  expect(payload.transaction).toMatch(/^0x[0-9a-f]{64}$/);

  // By another library, and the bytes are those that canonical JSON has.
  const verified = await compactVerify(receipt.signature, await importJWK(await publicKey()));
  expect(Buffer.from(verified.payload).toString()).toBe(canonicalize(payload));
  expect(asked).toHaveBeenCalledTimes(1);
});

test("the same payment again has the same receipt; of another payer, call or key it is none", async () => {
  const buyer = await world.buyer();
  const question = { tags: ["fintech"] };
  const payment = await buyer.sign(SEARCH);
  const first = signed(await world.send(SEARCH, question, payment));
  world.api.advance(60);
  const again = signed(await world.send(SEARCH, question, payment));
  const key = await publicKey();
  const payload = await verifyReceiptSignatureJWS(first, key);
  const repeated = await verifyReceiptSignatureJWS(again, key);
  expect({ ...repeated, issuedAt: 0 }).toEqual({ ...payload, issuedAt: 0 });
  expect(Math.abs(repeated.issuedAt - payload.issuedAt)).toBeLessThanOrEqual(1);

  const [header, , signature] = first.signature.split(".");
  for (const change of [
    { payer: "0x000000000000000000000000000000000000dead" },
    { resourceUrl: `${PUBLIC_BASE_URL}/api/x402/v1/email/find` },
    { transaction: "" },
  ]) {
    const body = Buffer.from(canonicalize({ ...payload, ...change })).toString("base64url");
    const forged = { format: "jws" as const, signature: `${header}.${body}.${signature}` };
    await expect(verifyReceiptSignatureJWS(forged, key)).rejects.toThrow(/verification failed/);
  }
  const other = await createSigningKey(new Uint8Array(32), "receipts of paid calls").publicJwk();
  expect(other.x).not.toBe(key.x);
  await expect(verifyReceiptSignatureJWS(first, { ...other })).rejects.toThrow(
    /verification failed/,
  );
});

test("the key's name holds the key; another purpose has another key, and a restart the same", async () => {
  const { id, verificationMethod, assertionMethod } = await document();
  const [{ id: kid, controller, publicKeyJwk }] = verificationMethod;
  expect([controller, assertionMethod]).toEqual([id, [kid]]);
  expect(kid).toBe(`${id}#${publicKeyJwk.x}`);
  expect(Object.keys(publicKeyJwk).toSorted()).toEqual(["alg", "crv", "kty", "x"]);
  const masterKey = crypto.getRandomValues(new Uint8Array(32));
  const x = async (purpose: string) => (await createSigningKey(masterKey, purpose).publicJwk()).x;
  expect(await x("a")).toBe(await x("a"));
  expect(await x("a")).not.toBe(await x("b"));
});

test("a deployment that sells nothing signs nothing", async () => {
  const api = await startApi();
  try {
    expect((await api.request(DID)).status).toBe(404);
  } finally {
    await api.close();
  }
});
