import {
  validateDiscoveryExtension,
  validateDiscoveryExtensionSpec,
} from "@x402/extensions/bazaar";
import * as z from "zod";
import { expect, test } from "vitest";
import { PAID_CALLS } from "#src/domain/billing/wallet/prices.ts";
import { discoveryOf } from "#src/http/wallet/discovery.ts";

const offer = {
  call: "prospects/search" as const,
  body: z.object({ tags: z.array(z.string()).min(1), limit: z.int().default(20) }),
  response: z.object({
    count: z.int(),
    results: z.array(z.object({ name: z.string().nullable() })),
  }),
  example: { body: { tags: ["a"] }, response: { count: 1, results: [{ name: null }] } },
};

test("the official package takes the discovery extension for its own", () => {
  const { bazaar } = discoveryOf(offer) as {
    bazaar: Parameters<typeof validateDiscoveryExtension>[0];
  };
  expect(validateDiscoveryExtension(bazaar)).toEqual({ valid: true });
  expect(validateDiscoveryExtensionSpec(bazaar as never)).toMatchObject({ valid: true });
});

test("it says for how long the handler may work", () => {
  const { bazaar } = discoveryOf(offer) as { bazaar: { info: object } };
  expect(bazaar.info).toMatchObject({ timeout_seconds: 10 });
});

test("an example that the schema does not take is noticed", () => {
  const wrong = { ...offer, example: { ...offer.example, body: { tags: "a" } } };
  const { bazaar } = discoveryOf(wrong) as {
    bazaar: Parameters<typeof validateDiscoveryExtension>[0];
  };
  expect(validateDiscoveryExtension(bazaar)).toMatchObject({ valid: false });
});

test("no two calls cost the same: a signed payment names an amount, and no path", () => {
  const amounts = Object.values(PAID_CALLS).map(({ amount }) => amount);
  expect(new Set(amounts).size).toBe(amounts.length);
});
