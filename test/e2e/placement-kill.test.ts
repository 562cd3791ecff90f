/** The real Worker and its queue: a test of where mail lands, undisturbed in time, and killed while it sends and looks. */
import { beforeAll, expect, test } from "vitest";
import { inFull } from "../support/full.ts";
import { type KillPoints, targetsAmong } from "../support/kill-points.ts";
import { patience } from "../support/patience.ts";
import { killableService, type SharedService } from "../support/shared-service.ts";

const PATH = "/api/v1/mailer/placement-tests";
const SENDER = "sender@kill.zz";
const SEEDS = { inbox: "seed@plain.zz", spam: "seed@spams.zz" };

interface Read {
  id: string;
  status: string;
  results: { status: string; place: string | null; seed_email: string; copies: number }[];
}

let service: SharedService;
let points: KillPoints;
let ids: string[];

beforeAll(async () => {
  ({ service, points } = await killableService(["database", "queue"]));
  const { smtp, imap, boxes } = service.stack.mailbox;
  const { host, username, password, security } = smtp;
  const transport = { kind: "smtp", host, security, username, password };
  const port = await points.tcp("smtp", smtp.port);
  const inbox = { kind: "imap", host, port: await points.tcp("imap", imap.port), password };
  const alias = async (email: string, more: object = {}) => {
    const body = {
      email,
      display_name: "Ann",
      daily_limit: 10_000,
      transport: { ...transport, port },
    };
    boxes.open(email);
    return ((await service.api("POST", "/api/v1/mailer/aliases", { ...body, ...more })) as Read).id;
  };
  ids = [await alias(SENDER)];
  for (const email of Object.values(SEEDS)) ids.push(await alias(email, { inbox }));
}, patience(120_000));

const copies = () =>
  Object.values(SEEDS).map((email) =>
    service.stack.mailbox.boxes
      .folders(email)
      .reduce((sum, { messages }) => sum + messages.length, 0),
  );

/** A test that the queue begins to work on when it is resumed. */
async function waiting(): Promise<string> {
  const { mailbox, qstash } = service.stack;
  await service.sql.query("delete from placement_tests");
  for (const email of Object.values(SEEDS))
    for (const folder of mailbox.boxes.folders(email))
      for (const { uid } of folder.messages) mailbox.boxes.remove(email, folder, uid);
  qstash.pause();
  const [sender, ...seeds] = ids;
  const text = { subject: "Hello", body: "Hello Ada" };
  const body = { alias_ids: [sender], seed_alias_ids: seeds, ...text };
  return ((await service.api("POST", PATH, body)) as Read).id;
}
const read = async (id: string) => (await service.api("GET", `${PATH}/${id}`)) as Read;

test(
  "inbox and spam are told apart within 60 s of their arrival, by the queue alone",
  async () => {
    const id = await waiting();
    service.stack.qstash.resume();
    await service.advance(60);
    expect(await read(id)).toMatchObject({
      status: "done",
      results: [
        { seed_email: SEEDS.inbox, status: "found", place: "inbox" },
        { seed_email: SEEDS.spam, status: "found", place: "spam" },
      ],
    });
  },
  patience(120_000),
);

/** One test with the Worker killed at that point of it; what it passed until then. */
async function oneTest(target: number): Promise<string[]> {
  const id = await waiting();
  points.arm(target);
  service.stack.qstash.resume();
  await service.advance(40).catch(() => {});
  const passed = points.passed();
  await service.untilUp();
  points.arm(0);
  let now = await read(id);
  for (let rounds = 0; rounds < 8 && now.status === "running"; rounds++) {
    await service.advance(300);
    now = await read(id);
  }
  const where = `after a kill at ${passed.at(-1)}`;
  expect(now.status, `${where}`).toBe("done");
  for (const [at, count] of copies().entries()) {
    const { status, place, copies: seen } = now.results[at]!;
    expect(count, `nothing is sent twice ${where}`).toBeLessThanOrEqual(1);
    // What arrived is seen, and of what did not it is not said that it was lost on the way.
    expect([status, seen], `${where}`).toEqual(count === 1 ? ["found", 1] : ["unknown", 0]);
    if (count === 1) expect(place).toBe(Object.keys(SEEDS)[at]);
  }
  return passed;
}

test(
  "the Worker killed point by point: each mail leaves once at most, and what arrived is found",
  async () => {
    const whole = await oneTest(0);
    const targets = targetsAmong(whole.length, 3);
    const struck: string[] = [];
    for (const target of targets) {
      const passed = await oneTest(target);
      if (passed.length === target) struck.push(passed.at(-1)!);
    }
    console.log(
      `${whole.length} points of a test, killed at ${struck.length}: ${struck.join("; ")}`,
    );
    expect(struck.length).toBeGreaterThan(inFull(targets.length / 2, 1));
  },
  patience(900_000),
);
