import { describe, expect, test } from "vitest";
import { isFenced } from "#db/base/fence.ts";
import { claimPostmasterFetch, endPostmasterFetch } from "#db/senders/postmaster.ts";
import { newClaim } from "#src/domain/job.ts";
import { fetchPostmaster } from "#src/domain/senders/postmaster/fetch.ts";
import {
  api,
  calls,
  consent,
  DAY,
  dayBefore,
  DOMAINS,
  figuresOf,
  google,
  makeDomain,
  putSpam,
  readAfter,
  rows,
  tenant,
  usePostmaster,
} from "./postmaster-setting.ts";

usePostmaster();

const loginOf = async (id: string) =>
  (await rows("select * from postmaster_logins where domain_id = $1", [id]))[0];

describe("figures", () => {
  test("are read once a day, kept by domain and day once, and replaced by what is said later", async () => {
    const made = await makeDomain();
    putSpam(made, { 1: 0.001, 2: 0.002, 40: 0.5 });
    await consent(made);
    expect((await figuresOf(made)).days).toHaveLength(2);
    const before = calls();
    await readAfter(DAY - 120);
    expect(calls()).toBe(before);
    putSpam(made, { 1: 0.0011, 2: 0.0033 });
    await readAfter(180);
    expect(calls()).toBe(before + 2);
    const { days } = await figuresOf(made);
    const spam = days.map((day: Record<string, unknown>) => [day["day"], day["spam_percent"]]);
    expect(spam).toEqual([
      [dayBefore(3), 0.2],
      [dayBefore(2), 0.33],
      [dayBefore(1), 0.11],
    ]);
  });

  test("that are no figures are left out: of wrong types, negative, above all, of other domains and days that are none, to come or long gone", async () => {
    const made = await makeDomain();
    google.faults.order("lies", 1);
    await consent(made);
    const { days, status } = await figuresOf(made);
    expect(status).toBe("connected");
    expect(days).toHaveLength(30);
    expect(
      await rows("select 1 from postmaster_days where domain_id = $1", [made.id]),
    ).toHaveLength(30);
    expect(new Set(days.map((day: Record<string, unknown>) => day["spam_percent"]))).toEqual(
      new Set([0.02]),
    );
  });

  test("of a domain that sends too little are none, which is no trouble", async () => {
    const made = await makeDomain("quiet");
    await consent(made);
    expect(await figuresOf(made)).toMatchObject({
      status: "connected",
      days: [],
      last_error: null,
    });
  });

  test("of a provider that pages without an end are read for ten pages", async () => {
    const made = await makeDomain();
    google.faults.order("endless", 50);
    const before = calls();
    await consent(made);
    expect(calls() - before).toBe(11);
    expect((await figuresOf(made)).days.length).toBeGreaterThan(0);
  });

  test("stay where the access is forgotten, and are gone with the domain", async () => {
    const made = await makeDomain();
    await consent(made);
    const path = `${DOMAINS}/${made.id}/postmaster`;
    expect((await tenant.call("DELETE", path)).status).toBe(200);
    const figures = await figuresOf(made);
    expect([figures.status, figures.days.length]).toEqual(["not_connected", 30]);
    await readAfter(2 * DAY);
    expect(await loginOf(made.id)).toBeUndefined();
    expect((await tenant.call("DELETE", path)).status).toBe(200);
    await tenant.call("DELETE", `${DOMAINS}/${made.id}`);
    expect(await rows("select 1 from postmaster_days where domain_id = $1", [made.id])).toEqual([]);
  });

  test("are read by one worker, and of a workspace that is deleted by none", async () => {
    const [one, two] = [await makeDomain(), await makeDomain()];
    await consent(one);
    await consent(two);
    api.advance(DAY + 1);
    const before = calls();
    await Promise.all([fetchPostmaster(api.deps), fetchPostmaster(api.deps)]);
    expect(calls() - before).toBe(4);
    await rows("update workspaces set deleted_at = now() where id = $1", [tenant.workspaceId]);
    await readAfter(DAY + 1);
    expect(calls() - before).toBe(4);
  });

  test("of a worker that was overtaken are not kept", async () => {
    const made = await makeDomain();
    await consent(made);
    api.advance(DAY + 1);
    const late = newClaim(api.deps, 1_000);
    await claimPostmasterFetch(api.deps.db, late);
    await readAfter(2);
    const day = { day: "2020-01-01", spam: 1, errors: [] };
    const none = { spf: null, dkim: null, dmarc: null, tls: null, rejected: null, deferred: null };
    const now = api.deps.clock.now();
    const read = { days: [{ ...day, ...none }], compliance: null, token: null, now, dueAt: now };
    const end = endPostmasterFetch(api.deps.db, { id: made.id, token: late.token }, read);
    await expect(end).rejects.toSatisfy(isFenced);
    expect(await rows("select 1 from postmaster_days where day = '2020-01-01'")).toEqual([]);
  });
});

describe("the checklist", () => {
  const complaints = async ({ id }: { id: string }) =>
    (await tenant.call("GET", `${DOMAINS}/${id}/health`)).body.rules.find(
      ({ rule }: { rule: string }) => rule === "complaint_rate",
    );

  test.each([
    ["all days below a tenth of a percent", { 1: 0.0002, 2: 0.0009 }, "ok", /0\.055 % on average/],
    ["a week at a tenth", { 1: 0.0008, 2: 0.0012 }, "failing", /less than 0\.1 %/],
    ["one day at three tenths", { 1: 0, 2: 0, 3: 0, 4: 0.003 }, "failing", /helps no sender/],
    ["figures that are older than a week", { 9: 0.01 }, "unknown", /Gmail sends none/],
  ])("says by Gmail's figure of %s: %s", async (_, rates, status, evidence) => {
    const made = await makeDomain();
    putSpam(made, rates as Record<number, number>);
    await consent(made);
    const row = await complaints(made);
    expect([row.status, row.evidence]).toEqual([status, expect.stringMatching(evidence)]);
    const names = row.figures.map(({ name }: { name: string }) => name);
    expect(names.includes("gmail_spam_percent")).toBe(status !== "unknown");
  });
});

test("figures are kept 400 days", async () => {
  const made = await makeDomain();
  putSpam(made, { 1: 0.001 });
  await consent(made);
  const { dropWhatEnded } = await import("#src/domain/jobs/retention.ts");
  api.advance(398 * DAY);
  await dropWhatEnded(api.deps);
  const kept = () => rows("select 1 from postmaster_days where domain_id = $1", [made.id]);
  expect(await kept()).toHaveLength(1);
  api.advance(2 * DAY);
  await dropWhatEnded(api.deps);
  expect(await kept()).toEqual([]);
});
