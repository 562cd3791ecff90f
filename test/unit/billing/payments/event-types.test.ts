import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Stripe } from "stripe";
import { TOLD } from "#src/providers/payments/stripe-objects.ts";
import { EVENTS } from "../../../../scripts/stack/payments/events.ts";

const deploying = readFileSync("docs/deploying.md", "utf8");
const read = Object.keys(TOLD).toSorted();

test("an operator is told to subscribe to exactly what is read, and the local Stripe is subscribed so", () => {
  const named = deploying.matchAll(/`((?:checkout|charge|refund)\.[a-z_.]+)`/g);
  expect([...named].map(([, type]) => type).toSorted()).toEqual(read);
  expect(EVENTS.toSorted()).toEqual(read);
});

test("the version that the webhook is to be registered with is the one that the SDK speaks", () => {
  expect(deploying).toContain(`API version \`${Stripe.API_VERSION}\``);
});
