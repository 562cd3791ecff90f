import "../../scripts/stack/warp.ts";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { keptSecrets } from "../../scripts/stack/secrets.ts";
import {
  type LocalService,
  type LocalServiceOptions,
  startLocalService,
} from "../../scripts/stack/service.ts";
import { dateAt, type Weekday, weekdayOf } from "#src/console/pure/wall-time.ts";
import { patience } from "./patience.ts";

export const WEEK: Weekday[] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/** The production bundle in workerd over a stack, as its users meet it. */
export interface TestService extends LocalService {
  api(method: string, path: string, body?: unknown): Promise<unknown>;
  advance(seconds: number): Promise<void>;
  mailbox(method: string, path: string, body?: unknown): Promise<unknown>;
}

/** One with a stack of its own; `workerEnv` adds to or replaces the Worker's bindings. */
export async function startTestService(
  more: Partial<Omit<LocalServiceOptions, "secrets">> = {},
): Promise<TestService> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "overture-e2e-"));
  const secrets = keptSecrets(path.join(folder, "secrets.json"));
  fs.rmSync(folder, { recursive: true, force: true });
  return withCalls(await startLocalService({ secrets, instance: "test", durable: false, ...more }));
}

export function withCalls(service: LocalService): TestService {
  const call = async (
    url: string,
    method: string,
    body: unknown,
    headers: Record<string, string>,
  ) => {
    const isForm = body instanceof FormData;
    const response = await fetch(url, {
      method,
      headers:
        isForm || body === undefined ? headers : { ...headers, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok)
      throw new Error(`${method} ${url} answered ${response.status}: ${text.slice(0, 1000)}`);
    return JSON.parse(text) as unknown;
  };
  return {
    ...service,
    api: (method, at, body) =>
      call(service.baseUrl + at, method, body, {
        authorization: `Bearer ${service.access.api_key}`,
      }),
    mailbox: (method, at, body) => call(service.stack.mailbox.url + at, method, body, {}),
    async advance(seconds) {
      await service.stack.clock.advance(seconds * 1000);
    },
  };
}

/** Looks again until it holds; at most about ten seconds of a quiet machine. */
export async function eventually<T>(
  what: string,
  look: () => Promise<T | false | undefined> | T | false | undefined,
): Promise<T> {
  // Long, since it costs nothing where it comes about: beside four other builds 12 s were too few for 80 inboxes.
  const endsAt = performance.now() + patience(60_000);
  // Soon at first, and then so seldom that looks alone do not use up the 600 requests of a minute.
  let pauseMs = 20;
  do {
    const found = await look();
    if (found !== false && found !== undefined) return found;
    await delay(pauseMs);
    pauseMs = Math.min(250, pauseMs * 1.1);
  } while (performance.now() < endsAt);
  throw new Error(`It never came about that ${what}`);
}

/** Moves the clock on, so many seconds at a time, until it holds; a number of moves bounds it, and not how long they take. */
export async function advanceUntil<T>(
  service: TestService,
  { seconds, moves }: { seconds: number; moves: number },
  what: string,
  look: () => Promise<T | false | undefined>,
): Promise<T> {
  for (let move = 0; move < moves; move++) {
    await service.advance(seconds);
    const found = await look();
    if (found !== false && found !== undefined) return found;
  }
  throw new Error(`In ${moves} moves of ${seconds} s it did not come about that ${what}`);
}

export interface NewCampaign {
  /** So many new ones that log in by password, or these. */
  aliases: number | string[];
  emails: string[];
  steps: unknown[];
  /** Every day unless given. */
  days?: Weekday[];
  /** Where the aliases' relay is, if not at the mailbox itself. */
  smtp?: Partial<TestService["stack"]["mailbox"]["smtp"]>;
}

/** A campaign from nothing through the API, launched and active; open all day. */
export async function launchCampaign(service: TestService, wish: NewCampaign): Promise<string> {
  const id = await draftCampaign(service, wish);
  await launch(service, id);
  return id;
}

export async function launch(service: TestService, id: string): Promise<void> {
  await service.api("POST", `/api/v1/campaigns/${id}/launch`);
  const isActive = async () => {
    const at = `/api/v1/campaigns/${id}`;
    const { status, launch_error: error } = (await service.api("GET", at)) as {
      status: string;
      launch_error: string | null;
    };
    if (status !== "launching" && status !== "active")
      throw new Error(`The launch ended as ${status}: ${error ?? "without a word"}`);
    return status === "active";
  };
  await eventually("the launch job ends", isActive);
}

/** The same, not launched. */
export async function draftCampaign(
  service: TestService,
  { aliases, emails, steps, days = WEEK, smtp = {} }: NewCampaign,
): Promise<string> {
  const created = async (at: string, body: unknown) =>
    (await service.api("POST", at, body)) as { id: string };
  const { host, port, security, username, password } = { ...service.stack.mailbox.smtp, ...smtp };
  const mark = Math.random().toString(36).slice(2, 8);
  const aliasIds = typeof aliases === "number" ? [] : aliases;
  for (let index = 0; typeof aliases === "number" && index < aliases; index++) {
    const alias = await created("/api/v1/mailer/aliases", {
      email: `sender${index}-${mark}@sender.zz`,
      display_name: "Sender",
      transport: { kind: "smtp", host, port, security, username, password },
    });
    aliasIds.push(alias.id);
  }
  const dataset = await created("/api/v1/datasets", { name: "Leads" });
  const rows = emails.map((email, index) => ({ email, first_name: `Lead ${index + 1}` }));
  await service.api("POST", `/api/v1/datasets/${dataset.id}/import`, { rows });
  const { campaign_id: id } = (await service.api("POST", "/api/v1/campaigns/", {
    name: `Campaign ${mark}`,
    dataset_id: dataset.id,
    alias_ids: aliasIds,
    sending_window_start: "00:00",
    sending_window_end: "00:00",
    send_days: days,
    min_interval_seconds: 60,
    steps,
  })) as { campaign_id: string };
  return id;
}

/**
 * Days on which nothing is sent before a test is over, however long it takes and however far others move the clock of a
 * shared stack meanwhile; the first is so many days off.
 */
export async function daysOfLater(
  service: TestService,
  { zone = "UTC", first = 5, days = 1 } = {},
): Promise<Weekday[]> {
  const { timestamp } = (await service.api("GET", "/api/v1/health")) as { timestamp: string };
  const today = WEEK.indexOf(weekdayOf(dateAt(Date.parse(timestamp), zone)));
  return Array.from({ length: days }, (_, day) => WEEK[(today + first + day) % 7]!);
}

export async function statusOf(service: TestService, id: string): Promise<string> {
  return ((await service.api("GET", `/api/v1/campaigns/${id}`)) as { status: string }).status;
}
