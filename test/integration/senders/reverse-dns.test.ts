import { beforeEach, describe, expect, test } from "vitest";
import { patience } from "../../support/patience.ts";
import { api } from "../../support/use-api.ts";
import {
  failingDns,
  figureOf,
  reported,
  rule,
  useHealth,
  verified,
  verify,
} from "./domain-health-setting.ts";

useHealth();

describe("reverse DNS of the addresses that send", () => {
  const V4 = "8.8.4.1";
  const ZONE = {
    ok: `1.4.8.8.in-addr.arpa. PTR out.relay.zz.\nout.relay.zz. A ${V4}`,
    second: `1.4.8.8.in-addr.arpa. PTR a.relay.zz.\n1.4.8.8.in-addr.arpa. PTR out.relay.zz.\nout.relay.zz. A ${V4}`,
    none: "",
    lying: `1.4.8.8.in-addr.arpa. PTR mail.google.zz.\nmail.google.zz. A 8.8.4.2`,
    nowhere: `1.4.8.8.in-addr.arpa. PTR gone.relay.zz.`,
    hostile: `1.4.8.8.in-addr.arpa. PTR <script>alert(1)</script>.\n1.4.8.8.in-addr.arpa. PTR ${"a".repeat(300)}.zz.`,
  };
  beforeEach(() => void api.dns.zones.remove("arpa.zz"));
  const seen = async (zone: string, ip = V4) => {
    const made = await verified();
    await reported(made, [{ ip, messages: 10, ours: 10, aligned: 10 }]);
    api.dns.zones.put("arpa.zz", zone);
    await verify(made);
    return rule(made, "reverse_dns");
  };

  test.each([
    ["ok", "ok", /8\.8\.4\.1 is out\.relay\.zz/],
    ["second", "ok", /8\.8\.4\.1 is/],
    ["none", "failing", /8\.8\.4\.1 has no PTR record/],
    ["lying", "failing", /named mail\.google\.zz, which does not lead back/],
    ["nowhere", "failing", /does not lead back/],
    ["hostile", "failing", /8\.8\.4\.1 has no PTR record\.$/],
  ] as const)("%s is %s", async (zone, status, evidence) => {
    expect(await seen(ZONE[zone])).toMatchObject({
      status,
      evidence: expect.stringMatching(evidence),
    });
  });

  test("of an IPv6 address goes by its nibbles", async () => {
    const name = `1${".0".repeat(23)}.8.8.8.4.0.6.8.4.1.0.0.2.ip6.arpa`.replace(
      /^1(\.0)+/,
      () => `1${".0".repeat(31 - 12)}`,
    );
    const found = await seen(
      `${name}. PTR six.relay.zz.\nsix.relay.zz. AAAA 2001:4860:4888::1`,
      "2001:4860:4888::1",
    );
    expect(found).toMatchObject({ status: "ok" });
  });

  test("is unknown where DNS says nothing, and where no report names an address of ours", async () => {
    const made = await verified();
    expect(await rule(made, "reverse_dns")).toMatchObject({
      status: "unknown",
      evidence: expect.stringMatching(/none has named one of ours/),
    });
    await reported(made, [
      { messages: 10, ours: 10, aligned: 10 },
      { ip: "127.0.0.1", messages: 10, ours: 10 },
      { ip: "8.8.4.7", messages: 10 },
    ]);
    await failingDns(made);
    const found = await rule(made, "reverse_dns");
    expect(found).toMatchObject({ status: "unknown", what_to_do: expect.stringMatching(/again/) });
    // Neither a stranger's address nor one that is no public host's is asked for.
    expect(figureOf(found, "addresses")).toBe(1);
    expect(found.evidence).toBe("DNS gave no answer about 8.8.4.1.");
  });

  test(
    "a resolver that answers nothing at all holds up a verification for seconds, and a reader not at all",
    async () => {
      const made = await verified();
      await reported(made, [{ messages: 10, ours: 10, aligned: 10 }]);
      api.dns.faults.order("timeout", 1000);
      const begun = performance.now();
      await verify(made);
      expect(performance.now() - begun).toBeLessThan(patience(20_000));
      const asked = performance.now();
      expect((await rule(made, "spf")).status).toBe("unknown");
      expect(performance.now() - asked).toBeLessThan(patience(3_000));
      api.dns.faults.clear();
    },
    patience(40_000),
  );
});
