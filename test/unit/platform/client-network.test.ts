import { expect, test } from "vitest";
import { clientNetwork } from "#src/platform/client-network.ts";

test.each([
  ["203.0.113.9", "203.0.113.9"],
  ["::ffff:203.0.113.9", "203.0.113.9"],
  ["2001:db8:1:2:3:4:5:6", "20010db800010002/64"],
  ["2001:db8:1:2::", "20010db800010002/64"],
  ["2001:DB8:1:2::1", "20010db800010002/64"],
  ["unknown", "unknown"],
])("%s asks as %s", (address, client) => expect(clientNetwork(address)).toBe(client));
