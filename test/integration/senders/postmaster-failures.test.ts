import { describe, expect, test } from "vitest";
import { createGooglePostmaster } from "#src/providers/postmaster/google.ts";
import {
  calls,
  consent,
  DAY,
  dayBefore,
  figuresOf,
  google,
  makeDomain,
  oauth,
  readAfter,
  rows,
  tenant,
  usePostmaster,
} from "./postmaster-setting.ts";

usePostmaster();

const loginOf = async (id: string) =>
  (await rows("select * from postmaster_logins where domain_id = $1", [id]))[0];

describe("what fails", () => {
  test.each([
    ["is gone", "down", /connection/],
    ["answers 500", "server_error", /500/],
    ["breaks off", "lost_answer", /no figures/],
    ["answers a page", "html", /no figures/],
    ["answers something else", "wrong_json", /no figures/],
    ["answers ten megabytes", "huge", /no figures/],
    ["has the API switched off", "service_disabled", /not been used/],
  ])(
    "a provider that %s is asked again an hour later, then two, and keeps what was read",
    async (_, fault, why) => {
      const made = await makeDomain();
      await consent(made);
      google.faults.order(fault, 2);
      await readAfter(DAY + 1);
      const { status, last_error, days } = await figuresOf(made);
      expect([status, last_error, days.length]).toEqual([
        "connected",
        expect.stringMatching(why),
        29,
      ]);
      const before = calls();
      await readAfter(3_500);
      expect(calls()).toBe(before);
      await readAfter(200);
      expect(calls()).toBe(before + 1);
      await readAfter(3_700);
      expect(calls()).toBe(before + 1);
      await readAfter(3_700);
      expect(await figuresOf(made)).toMatchObject({ status: "connected", last_error: null });
    },
  );

  test("a provider that never answers is left after its time", async () => {
    const impatient = createGooglePostmaster({ fetch, baseUrl: google.url, timeoutMs: 100 });
    google.faults.order("slow", 1);
    const range = { since: dayBefore(10), until: dayBefore(0) };
    expect(await impatient.days("token", "a.zz", range)).toMatchObject({
      kind: "unavailable",
      reason: expect.stringContaining("did not answer in time"),
    });
  });

  test("429 waits as long as Google asks for", async () => {
    const made = await makeDomain();
    await consent(made);
    google.faults.order("quota", 1);
    await readAfter(DAY + 1);
    const before = calls();
    await readAfter(7_000);
    expect(calls()).toBe(before);
    await readAfter(300);
    expect(calls()).toBeGreaterThan(before);
  });

  test("an account without the domain is said to be so, and asked once a day", async () => {
    const made = await makeDomain();
    await consent(made, "stranger@gmail.zz");
    expect(await figuresOf(made)).toMatchObject({
      status: "no_access",
      days: [],
      last_error: expect.stringContaining(made.domain),
    });
    const before = calls();
    await readAfter(DAY + 1);
    expect(calls()).toBe(before + 1);
    await consent(made);
    expect(await figuresOf(made)).toMatchObject({ status: "connected", last_error: null });
  });

  test.each([
    ["taken back at Google", () => oauth.grants.revoke("owner@gmail.zz")],
    ["refused by the API", () => google.faults.order("token_refused", 1)],
  ])(
    "a consent that is %s is told once, stands among what needs its owner, and ends with a new one",
    async (_, lose) => {
      const made = await makeDomain();
      await consent(made);
      lose();
      await readAfter(DAY + 1);
      await readAfter(DAY + 1);
      const lost = await figuresOf(made);
      expect([lost.status, lost.next_at, lost.days.length]).toEqual(["consent_lost", null, 28]);
      expect((await loginOf(made.id)).token).toBeNull();
      const notices = await rows(
        "select payload from outbox where workspace_id = $1 and kind = 'postmaster_lost'",
        [tenant.workspaceId],
      );
      expect(notices).toMatchObject([
        { payload: { domain_id: made.id, domain_name: made.domain } },
      ]);
      const attention = async () =>
        (await tenant.call("GET", "/api/v1/attention")).body.items.filter(
          ({ kind }: { kind: string }) => kind === "postmaster_lost",
        );
      expect(await attention()).toMatchObject([
        { severity: "warning", subject: { type: "domain", id: made.id, name: made.domain } },
      ]);
      await consent(made);
      expect(await attention()).toEqual([]);
    },
  );

  test("a token endpoint in trouble loses no consent", async () => {
    const made = await makeDomain();
    await consent(made);
    for (const fault of ["server_error", "down", "html", "invalid_client"]) {
      oauth.faults.order(fault, 1);
      await readAfter(2 * DAY);
      expect([fault, (await figuresOf(made)).status]).toEqual([fault, "connected"]);
    }
    await readAfter(2 * DAY);
    expect((await figuresOf(made)).last_error).toBeNull();
  });

  test("a refresh token that Google replaces is the one that is used next", async () => {
    const made = await makeDomain();
    await consent(made);
    oauth.faults.order("rotate", 1);
    await readAfter(DAY + 1);
    await readAfter(DAY + 1);
    expect(await figuresOf(made)).toMatchObject({ status: "connected", last_error: null });
  });
});
