import { randomUUID } from "node:crypto";
import * as fs from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as path from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Event, webhooks } from "#src/sdk/index.ts";
import { campaignFiles } from "../../support/campaign-files.ts";
import {
  insertAlias,
  insertBigDataset,
  activeCampaign,
  campaignFile,
  inlineStep,
} from "../../support/campaigns.ts";
import { inFull } from "../../support/full.ts";
import { patience } from "../../support/patience.ts";
import { type InstalledPackage, installPackage } from "../../support/sdk-package.ts";
import { serve } from "../../support/serve.ts";
import { api, query, tenant, useApi } from "../../support/use-api.ts";

vi.setConfig({ testTimeout: patience(120_000) });
useApi();
let server: Awaited<ReturnType<typeof serve>>;
let installed: InstalledPackage;
let aliasId: string;
let datasetId: string;
beforeAll(async () => {
  server = await serve(api);
  installed = await installPackage({ OVERTURE_URL: server.url, OVERTURE_API_KEY: tenant.key });
  aliasId = await insertAlias(api, tenant);
  datasetId = await insertBigDataset(api.sql, tenant, 20);
});
afterAll(async () => {
  installed?.remove();
  await server?.close();
});

const overture: InstalledPackage["overture"] = (args, more) => {
  api.forgetQuotas();
  return installed.overture(args, more);
};
const fileOf = (more: object = {}) => campaignFile(datasetId, aliasId, more);
const campaignCount = async () =>
  (await query`select count(*)::int as n from campaigns`)[0]!["n"] as number;

describe("files", () => {
  test("whatever one says: plan says changes, apply makes them, plan says none, and so for what is pulled", async () => {
    const whole = async (args: string[], code: number) => {
      const said = await overture(args);
      if (said.code !== code) throw new Error(JSON.stringify({ args, ...said }).slice(0, 2000));
      return said.out;
    };
    await fc.assert(
      fc.asyncProperty(campaignFiles, campaignFiles, async (first, second) => {
        const own = { external_id: randomUUID(), dataset: datasetId, aliases: [aliasId] };
        for (const [round, file] of [first, second].entries()) {
          const name = installed.write("drawn.json", { ...file, ...own });
          if (round === 0) await whole(["plan", name], 2);
          await whole(["apply", name, "--yes", "--json"], 0);
          expect(JSON.parse(await whole(["plan", name, "--json"], 0))).toMatchObject({
            action: "none",
            changes: [],
          });
        }
        await whole(["pull", own.external_id, "--out", "pulled.json", "--force"], 0);
        await whole(["plan", "pulled.json"], 0);
      }),
      { numRuns: inFull(15, 1), seed: 32, endOnFailure: true },
    );
  });

  test("a plan shows each place with what was and what will be, and whom it reaches", async () => {
    const file = fileOf({ daily_limit: 7 });
    const name = installed.write("shown.jsonc", `// mine\n${JSON.stringify(file, null, 2)}`);
    const before = await campaignCount();
    const made = await overture(["plan", name]);
    expect(made.out).toContain("  + /daily_limit  7\n");
    expect(made.out).toContain("  affects 20 leads, the next at 2");
    expect(await campaignCount()).toBe(before);
    expect((await overture(["apply", name, "--yes"])).code).toBe(0);
    installed.write(name, { ...file, daily_limit: 8, name: "a\u202eb" });
    const { code, out } = await overture(["plan", name]);
    expect(code).toBe(2);
    expect(out).toContain("  - /daily_limit  7\n  + /daily_limit  8\n");
    expect(out).not.toContain("\u202e");
  });

  test("a saved plan is done as it was looked at, or is stale", async () => {
    const file = fileOf();
    const name = installed.write("saved.json", file);
    expect((await overture(["plan", name, "--out", "saved.plan"])).code).toBe(2);
    expect(fs.statSync(path.join(installed.folder, "saved.plan")).mode & 0o077).toBe(0);
    const applied = await overture(["apply", "--plan", "saved.plan", "--json"]);
    const { campaign } = JSON.parse(applied.out);
    expect(campaign.status).toBe("draft");

    const again = await overture(["apply", "--plan", "saved.plan"]);
    expect(again).toMatchObject({ code: 4, err: expect.stringContaining("PLAN_STALE") });
    installed.write(name, { ...file, name: "Summer" });
    await overture(["plan", name, "--out", "second.plan"]);
    await tenant.call("PATCH", `/api/v2/campaigns/${campaign.campaign_id}`, { name: "Autumn" });
    expect((await overture(["apply", "--plan", "second.plan"])).code).toBe(4);
    const elsewhere = { env: { OVERTURE_URL: "http://127.0.0.1:1" } };
    const other = await overture(["apply", "--plan", "second.plan"], elsewhere);
    expect(other).toMatchObject({ code: 3, err: expect.stringContaining("the plan is of") });
  });

  test("nothing is applied that nobody confirmed, and nothing sent without --launch", async () => {
    const file = fileOf();
    const name = installed.write("confirm.json", file);
    const before = await campaignCount();
    for (const input of ["", "y\n"])
      expect((await overture(["apply", name], { input })).code).toBe(3);
    expect(await campaignCount()).toBe(before);
    await overture(["apply", name, "--yes"]);
    const { out } = await overture(["apply", name, "--yes", "--launch", "--json"]);
    expect(JSON.parse(out)).toMatchObject({ action: "none", launched: true });
  });

  test("a campaign that is no file's yet is taken over", async () => {
    const { body } = await tenant.call("POST", "/api/v2/campaigns/", {
      name: `Old ${randomUUID()}`,
      dataset_id: datasetId,
      alias_ids: [aliasId],
      steps: [inlineStep()],
    });
    const { campaign_id: id, name } = body;
    expect(await overture(["pull", name])).toMatchObject({ code: 3, out: "" });
    const own = `old/${id}`;
    expect((await overture(["pull", id, "--as", own, "--out", "old.json"])).code).toBe(0);
    expect((await overture(["pull", id, "--as", own, "--out", "old.json"])).code).toBe(3);
    expect((await overture(["apply", "old.json", "--campaign", id, "--yes"])).code).toBe(0);
    expect((await overture(["plan", "old.json"])).code).toBe(0);
  });
});

describe("a file is refused with its place", () => {
  const twin = `Twins ${randomUUID().slice(0, 8)}`;
  beforeAll(async () => {
    for (const _ of [1, 2]) await tenant.call("POST", "/api/v2/datasets", { name: twin });
  });
  const lines = (...more: string[]) =>
    ["{", '  "external_id": "a", "name": "N",', ...more, "}"].join("\n");
  const good = () => [
    `  "dataset": "${datasetId}", "aliases": ["${aliasId}"],`,
    '  "steps": [{"step": 1, "variants": [{"type": "INLINE", "body": "x"}]}],',
  ];
  const KEY = `svc_${"live_"}${"k".repeat(43)}`;

  test.each<[string, () => string, RegExp]>([
    ["no JSON", () => '{"name": }', /:1:10: a value is expected/],
    ["a member said twice", () => lines('  "name": "M"'), /:3:3: "name" is said twice/],
    ["no object", () => "[]", /:1:1: a campaign is an object/],
    ["an unknown field", () => lines(...good(), '  "daily_limt": 7'), /:5:3: \/daily_limt /],
    [
      "an unknown field deep inside",
      () =>
        lines(
          good()[0]!,
          '  "steps": [{"step": 1,',
          '    "variants": [{"type": "INLINE", "body": "x", "bdoy": "y"}]}]',
        ),
      /:5:50: \/steps\/0\/variants\/0\/bdoy /,
    ],
    ["__proto__", () => lines(...good(), '  "__proto__": {"name": "M"}'), /:5:3: \/__proto__ /],
    [
      "a value of another kind",
      () => lines(...good(), '  "daily_limit": "7"'),
      /:5:3: \/daily_limit /,
    ],
    [
      "a name that two records have",
      () => lines(`  "dataset": "${twin}", "aliases": ["${aliasId}"],`, good()[1]!),
      /:3:3: .*more than one dataset.*NAME_AMBIGUOUS[^]*one of [0-9a-f-]{36}, [0-9a-f-]{36}/,
    ],
    [
      "a name that none has",
      () => lines(good()[0]!.replace(aliasId, "nobody@nowhere.zz"), good()[1]!),
      /:3:\d+: .*NOT_FOUND/,
    ],
    [
      "a key in a text",
      () => lines(...good(), `  "description": "by ${KEY}"`),
      /:5:3: \/description is an API key/,
    ],
    [
      "a key behind escapes",
      () => lines(...good(), `  "description": "\\u0073${KEY.slice(1)}"`),
      /\/description is an API key/,
    ],
    ["a key in a comment", () => lines(...good(), `  // ${KEY}`), /:5:6: here is an API key/],
    [
      "a password by its name",
      () => lines(...good(), '  "smtp": {"password": "x"}'),
      /:5:12: \/smtp\/password is/,
    ],
  ])("%s", async (_, content, message) => {
    const before = await campaignCount();
    const name = installed.write("hostile.jsonc", content());
    // It plans first, so that whatever plan refuses is refused here.
    const { code, out, err } = await overture(["apply", "--yes", name]);
    expect({ code, out }).toEqual({ code: 3, out: "" });
    expect(err).toMatch(message);
    expect(err).not.toContain(KEY);
    expect(await campaignCount()).toBe(before);
  });

  test("what has a secret in it is sent nowhere", async () => {
    let asked = 0;
    const listener = createServer((_, response) => void (asked++, response.end()));
    await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
    const { port } = listener.address() as AddressInfo;
    const name = installed.write("secret.json", { ...fileOf(), description: KEY });
    const env = { OVERTURE_URL: `http://127.0.0.1:${port}` };
    expect((await overture(["plan", name], { env })).code).toBe(3);
    listener.close();
    expect(asked).toBe(0);
  });

  test("two files of one campaign, a folder, a large one and none at all", async () => {
    const file = fileOf();
    const one = installed.write("one.json", file);
    const two = installed.write("two.json", { ...file, name: "Other" });
    const large = installed.write("large.json", " ".repeat(1_000_001));
    expect((await overture(["plan", one, two])).err).toMatch(/two.json:2:3: one.json has the same/);
    for (const name of [".", large, "missing.json"])
      expect(await overture(["plan", name])).toMatchObject({ code: 3, out: "" });
  });
});

describe("a command", () => {
  test("why says of a lead what the API says, by its address and by either id", async () => {
    const { id } = await activeCampaign(api, tenant, {}, [{ email: "zoe@example.zz" }]);
    await overture(["pull", id, "--as", "why/one", "--out", "why.json"]);
    await overture(["apply", "why.json", "--campaign", id, "--yes"]);
    const [lead] = (await tenant.call("GET", `/api/v2/campaigns/${id}/leads`)).body.items;
    const at = `/api/v2/campaigns/${id}/sending-status?lead_id=${lead?.lead_id}`;
    const told = (await tenant.call("GET", at)).body;
    for (const text of ["Zoe@example.zz", lead.lead_id, lead.id]) {
      const { out } = await overture(["why", "why/one", text]);
      for (const { message } of [...told.lead.reasons, ...told.reasons])
        expect(out).toContain(message);
      const { lead: same } = JSON.parse((await overture(["why", id, text, "--json"])).out);
      expect(same.reasons).toEqual(told.lead.reasons);
    }
    await tenant.call("POST", `/api/v2/campaigns/${id}/pause`);
    const paused = (await overture(["why", id, lead.id])).out;
    expect(paused).toContain("It was paused by hand");
    expect(paused).not.toContain("Nothing stands against it");
    expect((await overture(["why", id, "nobody@example.zz"])).code).toBe(3);
    expect((await overture(["why", "no/such"])).code).toBe(3);
  });

  test("import tries, makes and fills a dataset, and says which rows were refused", async () => {
    const name = `Guests ${randomUUID()}`;
    installed.write("guests.csv", "email,First Name\nada@example.zz,Ada\nnot an address,Eve\n");
    expect((await overture(["import", name, "guests.csv"])).code).toBe(3);
    const made = await overture(["import", name, "guests.csv", "--create"]);
    expect(made).toMatchObject({
      code: 3,
      out: expect.stringMatching(/^1 new, .* 1 refused\n  row /),
    });
    installed.write("more.csv", "email\nbob@example.zz\n");
    expect((await overture(["import", name, "more.csv", "--dry-run"])).code).toBe(2);
    expect((await overture(["import", name, "more.csv"])).code).toBe(0);
    expect((await overture(["import", name, "missing.csv"])).code).toBe(3);
  });

  test("events are told, and forwarded to this machine as signed webhooks", async () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
    const heard: Event[] = [];
    let failures = 2;
    const receiver = createServer((request, response) => {
      void text(request).then(async (body) => {
        if (failures-- > 0) return response.writeHead(500).end();
        // The command's clock is the machine's, and this file's is ahead of it.
        const options = { toleranceSeconds: 1e9 };
        heard.push(await webhooks.verify(body, request.headers, secret, options));
        return response.end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    const { out, err } = await overture(
      ["events", "--types", "dataset.imported", "--json", "--forward", url],
      { env: { OVERTURE_WEBHOOK_SECRET: secret } },
    );
    receiver.close();
    const told = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Event);
    expect(told.length).toBeGreaterThan(0);
    expect(heard).toEqual(told);
    expect(err).not.toContain(secret);
  });

  test("events that are followed come as they happen, and end when they should", async () => {
    const followed = overture([
      "events",
      "--follow",
      "--for",
      "8",
      "--types",
      "campaign.created",
      "--json",
    ]);
    const timer = setInterval(
      () =>
        void tenant.call("POST", "/api/v2/campaigns/", {
          name: "Followed",
          dataset_id: datasetId,
          alias_ids: [aliasId],
          steps: [inlineStep()],
        }),
      1000,
    );
    const { code, out } = await followed;
    clearInterval(timer);
    expect(code).toBe(0);
    const ids = out
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as Event).id);
    expect(ids.length).toBeGreaterThan(1);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("watch tells of one campaign, and ends with it", async () => {
    const { id } = await activeCampaign(api, tenant, {}, [{ email: "watched@example.zz" }]);
    const watched = overture(["watch", id, "--for", "60", "--json"]);
    let isOver = false;
    void watched.then(() => (isOver = true));
    for (const method of ["pause", "resume", "pause"]) {
      await delay(patience(1500));
      await tenant.call("POST", `/api/v2/campaigns/${id}/${method}`);
    }
    expect(isOver).toBe(false);
    await tenant.call("DELETE", `/api/v2/campaigns/${id}`);
    const { code, out } = await watched;
    const types = out
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as Event).type);
    expect([code, types.at(-1)]).toEqual([0, "campaign.deleted"]);
    expect(types).toContain("campaign.paused");
  });

  test("whose reader has enough ends without a word", async () => {
    const said = await installed.run("sh", ["-c", "node_modules/.bin/overture --help | true"]);
    expect(said).toEqual({ code: 0, out: "", err: "" });
  });

  test("login keeps the key for its owner, and it goes to no other host", async () => {
    const home = fs.mkdtempSync(path.join(installed.folder, "login-"));
    const env = { XDG_CONFIG_HOME: home, OVERTURE_URL: "", OVERTURE_API_KEY: "" };
    expect((await overture(["why", "a"], { env })).err).toContain("overture login");
    const wrong = await overture(["login", "--url", server.url], { env, input: "svc_live_wrong" });
    expect(wrong.code).toBe(3);
    const right = await overture(["login", "--url", server.url], { env, input: `${tenant.key}\n` });
    expect(right).toMatchObject({ code: 0 });
    expect(right.out + right.err).not.toContain(tenant.key);
    const file = path.join(home, "overture/credentials.json");
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect((await overture(["doctor"], { env })).code).toBe(0);
    const elsewhere = { ...env, OVERTURE_URL: "http://127.0.0.1:1" };
    expect((await overture(["doctor"], { env: elsewhere })).out).toMatch(/wrong .*No key for/);
    fs.chmodSync(file, 0o644);
    expect((await overture(["doctor"], { env })).out).toContain("chmod 600");
  });

  test("that fails says how: 1 where nothing answers, 3 where it is refused, and with --json for programs", async () => {
    const gone = { env: { OVERTURE_URL: "http://127.0.0.1:1" } };
    const doctor = await overture(["doctor", "--json"], gone);
    expect(doctor.code).toBe(3);
    const refused = await overture(["why", randomUUID(), "--json"]);
    expect([refused.code, JSON.parse(refused.out)]).toEqual([
      3,
      expect.objectContaining({ status: 404, code: "CAMPAIGN_NOT_FOUND" }),
    ]);
    for (const args of [
      ["lunch"],
      ["constructor"],
      ["plan"],
      ["plan", "a", "--bogus"],
      ["pay", "a"],
    ])
      expect(await overture(args)).toMatchObject({ code: 3, out: "" });
    for (const args of [[], ["--help"], ["plan", "--help"], ["--version"]])
      expect(await overture(args)).toMatchObject({ code: 0, err: "" });
  });
});
