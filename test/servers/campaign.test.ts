import * as fs from "node:fs";
import * as path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Publishable, zoneFor } from "../support/publish.ts";
import {
  launchCampaign,
  startTestService,
  statusOf,
  type TestService,
} from "../support/service.ts";
import { makeFolder, run } from "./process.ts";
import { canRun, DOMAINS, type Servers, startServers } from "./setting.ts";

const LOGIN = { username: `relay@${DOMAINS.senders}`, password: "s3cret" };
const LEADS = 50;
const STEPS = 3;
const EMAILS = Array.from({ length: LEADS }, (_, index) => `lead${index}@${DOMAINS.leads}`);
let servers: Servers;
let service: TestService;

describe.runIf(canRun)("a campaign through Postfix", () => {
  beforeAll(async () => {
    servers = await startServers({ [LOGIN.username]: LOGIN.password }, EMAILS);
    service = await startTestService({ authorities: [servers.ca] });
  });
  afterAll(async () => {
    await service?.close();
    await servers?.close();
  });

  /** The records of the senders' domain, so that its mail is signed. */
  async function publishDomain(): Promise<Publishable> {
    const domain = (await service.api("POST", "/api/v1/mailer/domains", {
      domain: DOMAINS.senders,
    })) as Publishable & { id: string };
    service.stack.dns.zones.put(DOMAINS.senders, zoneFor(domain, ["return_path"]));
    const { status } = (await service.api(
      "POST",
      `/api/v1/mailer/domains/${domain.id}/verify`,
    )) as { status: string };
    expect(status).toBe("verified");
    return domain;
  }

  const step = (number: number) => ({
    step: number,
    ...(number === 1 ? {} : { delay_days: 1 }),
    track_clicks: true,
    variants: [
      {
        type: "INLINE",
        ...(number === 1 ? { subject: "{{ first_name }}, ein Gruß — 你好" } : {}),
        body: `<p>Größe ${number} for {{ first_name }}: <a href="https://example.com/a">this</a></p>`,
      },
    ],
  });

  test("50 leads get three messages each, with STARTTLS and AUTH, strict and signed", async () => {
    const domain = await publishDomain();
    const id = await launchCampaign(service, {
      aliases: 5,
      emails: EMAILS,
      steps: [step(1), step(2), step(3)],
      smtp: { ...servers.postfix.smtp, ...LOGIN },
    });
    for (let day = 0; day < STEPS + 1; day += 1) await service.advance(86_400);
    await expect.poll(() => statusOf(service, id), { timeout: 60_000 }).toBe("completed");
    await expect
      .poll(() => EMAILS.flatMap(servers.mailOf).length, { timeout: 60_000 })
      .toBe(LEADS * STEPS);
    expect(EMAILS.map((email) => servers.mailOf(email).length)).toEqual(EMAILS.map(() => STEPS));
    expect(await judge(EMAILS.flatMap(servers.mailOf), domain)).toEqual({
      messages: LEADS * STEPS,
      defects: [],
      subjects: EMAILS.length,
      threaded: LEADS * (STEPS - 1),
      signed: LEADS * STEPS,
    });
    const log = servers.postfix.log();
    expect(log.match(/sasl_method=\S+, sasl_username=relay@sender\.zz/g)).toHaveLength(
      LEADS * STEPS,
    );
    expect(log).not.toMatch(/warning|fatal|panic/);
  }, 300_000);
});

/** What Python's strict parser and dkimpy make of the messages. */
async function judge(messages: Buffer[], { records }: Publishable): Promise<unknown> {
  const folder = makeFolder("judge");
  for (const [index, message] of messages.entries())
    fs.writeFileSync(path.join(folder, `${index}.eml`), message);
  const keys = records.filter(({ purpose }) => purpose === "dkim");
  fs.writeFileSync(
    path.join(folder, "keys.json"),
    JSON.stringify(Object.fromEntries(keys.map(({ host, expected }) => [host, expected]))),
  );
  const script = new URL("./judge.py", import.meta.url).pathname;
  // Debian's own Python, to which Debian's dkimpy belongs.
  const { stdout } = await run("/usr/bin/python3", [script, folder, String(Date.now() / 1000)]);
  fs.rmSync(folder, { recursive: true });
  return JSON.parse(stdout);
}
