import * as fs from "node:fs";
import * as path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rootFolder } from "../../scripts/command.ts";
import { patience } from "../support/patience.ts";
import { runProgram } from "../support/run-script.ts";
import { type StartedStack, startedStack } from "../support/started-stack.ts";

/** docs/quickstart.md, run as a newcomer would: its blocks, in one bash, over a stack that `npm start` began. */
const page = fs.readFileSync(path.join(rootFolder, "docs/quickstart.md"), "utf8");
const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block ?? "");

let stack: StartedStack;
beforeAll(async () => {
  stack = await startedStack();
  const started = await stack.start();
  if (started.code !== 0) throw new Error(started.output);
});
afterAll(() => stack?.close());

const bash = (script: string) => runProgram("bash", ["-c", script], stack.env);

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
  const { base_url: base, api_key: key } = stack.description();
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

test(
  "the page's blocks run twice in a row, and leave nothing behind",
  async () => {
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
  },
  patience(600_000),
);

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
