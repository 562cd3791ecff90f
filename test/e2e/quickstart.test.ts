import { execFile } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { StackDescription } from "../../scripts/stack/running.ts";

/** docs/quickstart.md, run as a newcomer would: its blocks, in one bash, over a stack that `npm start` began. */
const root = path.resolve(import.meta.dirname, "../..");
const home = fs.mkdtempSync(path.join(os.tmpdir(), "overture-quickstart-"));
const env = {
  ...process.env,
  DATABASE_URL: "",
  OVERTURE_LOCAL: path.join(home, "local"),
  OVERTURE_STATE_HOME: path.join(home, "state"),
};
const page = fs.readFileSync(path.join(root, "docs/quickstart.md"), "utf8");
const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block ?? "");

beforeAll(async () => {
  // The database's own account has to pass through.
  fs.chmodSync(home, 0o755);
  const started = await run(["scripts/start.ts", "--no-demo", "--background"]);
  if (started.code !== 0) throw new Error(started.output);
}, 120_000);

afterAll(async () => {
  await run(["scripts/stop.ts"]);
  fs.rmSync(home, { recursive: true, force: true });
});

interface Ended {
  code: number | null;
  output: string;
}

function run(args: string[], program = process.execPath): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(program, args, { cwd: root, env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, output: stdout + stderr }),
    );
    // A block that asked for more than its words would wait for ever.
    child.stdin?.end();
  });
}

const bash = (script: string) => run(["-c", script], "bash");

/** What a list of the API has in it, of the demo workspace. */
const LISTS = [
  "/campaigns/",
  "/datasets",
  "/mailer/aliases",
  "/connected-accounts/",
  "/sender-profiles/",
  "/socialnet/posts/",
  "/conversations",
];

async function leftBehind(): Promise<Record<string, unknown>> {
  const { base_url: base, api_key: key } = JSON.parse(
    fs.readFileSync(path.join(env.OVERTURE_LOCAL, "stack.json"), "utf8"),
  ) as StackDescription;
  const ask = async (at: string) => {
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(`${base}/api/v1${at}`, { headers });
    expect([at, response.status]).toEqual([at, 200]);
    return response.json() as Promise<unknown>;
  };
  const found = await Promise.all(
    [...LISTS, "/notifications/preferences"].map(async (at) => [at, await ask(at)] as const),
  );
  return Object.fromEntries(found);
}

test("the page's blocks run twice in a row, and leave nothing behind", async () => {
  const before = await leftBehind();
  for (const round of ["first", "second"]) {
    const { code, output } = await bash(blocks.join("\n"));
    expect({ round, code, end: code === 0 ? "" : output.slice(-3000) }).toEqual({
      round,
      code: 0,
      end: "",
    });
    expect(output).toContain("stage: 'ready'");
    expect(output).toContain("Hello Ada\nHello Ada");
    expect(output).toContain("stop_reason: 'replied'");
    expect(output).toMatch(/status: 'published'/);
    expect(output).toContain("'Yes, gladly.'");
    expect(await leftBehind()).toEqual(before);
  }
}, 600_000);

test("each block shows what it made, and the first says where the mailbox is", async () => {
  const [first] = blocks;
  const { output } = await bash(first ?? "");
  expect(output).toMatch(/^API http:\/\/127\.0\.0\.1:\d+\nMailbox http:\/\/127\.0\.0\.1:\d+\n$/);
  const silent = blocks
    .slice(1)
    .filter((block) => !/\b(made|show|echo|advance|clean_up)\b/.test(block));
  expect(silent).toEqual([]);
});

test("an error ends the shell with the service's answer, and removes what was made until then", async () => {
  const before = await leftBehind();
  const script = [
    blocks[0],
    'made "/datasets/$(json /datasets -d \'{"name": "Half way"}\' | pick id)"',
    "NOTHING=$(json /datasets -d '{\"name\": 7}' | pick id)",
    "echo it went on",
  ].join("\n");
  const { code, output } = await bash(script);
  expect(code).not.toBe(0);
  expect(output).toContain("expected string, received number");
  expect(output).toMatch(/removed \/datasets\//);
  expect(output).not.toContain("it went on");
  expect(await leftBehind()).toEqual(before);
});
