import { describe, expect, test } from "vitest";
import { consentAt } from "../../support/oauth.ts";
import {
  api,
  beginAt,
  consent,
  dayBefore,
  DOMAINS,
  figuresOf,
  lines,
  makeDomain,
  oauth,
  rows,
  tenant,
  usePostmaster,
} from "./postmaster-setting.ts";

usePostmaster();

const loginOf = async (id: string) =>
  (await rows("select * from postmaster_logins where domain_id = $1", [id]))[0];

describe("the consent", () => {
  test("asks for the figures alone, and once it is given the first month is read", async () => {
    const made = await makeDomain("complained");
    expect(await figuresOf(made)).toEqual({
      ...{ domain: made.domain, status: "not_connected", compliance: null, days: [] },
      ...{ connected_at: null, fetched_at: null, next_at: null, last_error: null },
    });
    const { status, body } = await beginAt(made);
    expect(status).toBe(200);
    const asked = new URL(body.authorize_url).searchParams;
    expect(asked.get("scope")).toBe("https://www.googleapis.com/auth/postmaster.traffic.readonly");
    expect(asked.get("redirect_uri")).toBe("http://overture.test:8787/oauth/postmaster/callback");
    expect([asked.get("access_type"), asked.get("prompt")]).toEqual(["offline", "consent"]);
    const done = await consent(made);
    expect([done.status, done.text]).toEqual([
      200,
      expect.stringContaining("Postmaster Tools are connected"),
    ]);
    const figures = await figuresOf(made);
    expect(figures).toMatchObject({ status: "connected", last_error: null });
    expect(figures.days).toHaveLength(30);
    expect(figures.days.at(-1)).toEqual({
      ...{ day: dayBefore(1), spam_percent: 0.4, spf_percent: 100, dkim_percent: 100 },
      ...{ dmarc_percent: 99.8, tls_percent: 100, rejected_percent: 1, deferred_percent: 0 },
      errors: [{ type: "reject", reason: "low_domain_reputation", percent: 1 }],
    });
    expect(figures.compliance).toContainEqual({
      ...{ requirement: "user_reported_spam_rate", status: "needs_work", reason: null },
    });
    expect(figures.compliance).toHaveLength(10);
  });

  test("counts once, for ten minutes, and a no stores nothing", async () => {
    const made = await makeDomain();
    const { body } = await beginAt(made);
    const path = await consentAt(body.authorize_url, { email: "owner@gmail.zz" });
    const back = async (to = path) => (await api.request(to)).text();
    const texts = await Promise.all([back(), back(), back()]);
    expect(texts.filter((text) => text.includes("are connected"))).toHaveLength(1);
    expect(await back()).toContain("This link does not work");
    expect(await back("/oauth/postmaster/callback?state=forged&code=a")).toContain("does not work");
    const late = await makeDomain();
    const begun = (await beginAt(late)).body;
    api.advance(601);
    expect(await back(await consentAt(begun.authorize_url, { email: "o@gmail.zz" }))).toContain(
      "took too long",
    );
    const denied = (await beginAt(late)).body;
    const no = await consentAt(denied.authorize_url, { email: "o@gmail.zz", answer: "deny" });
    expect(await back(no)).toContain("was not granted");
    expect(await loginOf(late.id)).toBeUndefined();
  });

  test("leads to return_url where its host is one of the deployment's", async () => {
    const made = await makeDomain();
    const to = "https://app.test/done?x=1";
    expect((await consent(made, "o@gmail.zz", { return_url: to })).to).toBe(
      `${to}&status=connected&domain_id=${made.id}`,
    );
    expect((await beginAt(made, { return_url: "https://evil.test/" })).status).toBe(422);
  });

  test("for a domain that is gone meanwhile, or another workspace's, changes nothing", async () => {
    const made = await makeDomain();
    const { body } = await beginAt(made);
    const path = await consentAt(body.authorize_url, { email: "o@gmail.zz" });
    const stranger = await api.tenant();
    for (const method of ["GET", "POST", "DELETE"])
      expect(
        (
          await stranger.call(
            method,
            `${DOMAINS}/${made.id}/postmaster`,
            method === "POST" ? {} : undefined,
          )
        ).status,
      ).toBe(404);
    await tenant.call("DELETE", `${DOMAINS}/${made.id}`);
    expect(await (await api.request(path)).text()).toContain("what it was for is gone");
    expect(await rows("select 1 from postmaster_logins")).toEqual([]);
  });

  test("gives a token that is stored sealed, and stands in no line of the log", async () => {
    const made = await makeDomain();
    await consent(made);
    const { token } = await loginOf(made.id);
    const held = oauth.grants.list();
    expect(held.length).toBeGreaterThan(0);
    expect(token).not.toContain("1//0");
    expect(lines.join("\n")).not.toMatch(/1\/\/0|ya29\.a0/);
  });
});
