import * as http from "node:http";
import type { TestService } from "../support/service.ts";
import { makeWorkspaces, send } from "./http.ts";
import { processorMs } from "./meters.ts";
import { range } from "./report.ts";

const REQUESTS = 240;
const CONNECTIONS = 4;
/** Milliseconds of the Worker's processor a call. */
const TARGET = 5;

const call = (method: string, params: object) => ({
  method: "POST",
  path: "/mcp",
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
});
const CASES = {
  "GET /auth/me": { method: "GET", path: "/api/v1/auth/me", body: undefined },
  "GET /events": { method: "GET", path: "/api/v2/events", body: undefined },
  "tools/list": call("tools/list", {}),
  "events by a tool": call("tools/call", { name: "events", arguments: {} }),
};
type Case = keyof typeof CASES;

/** Processor time of the Worker for an agent's calls, beside what their parts cost without a protocol, in turns. */
export async function benchAgents(service: TestService, rounds: number): Promise<void> {
  const { keys } = await makeWorkspaces(service);
  const names = Object.keys(CASES) as Case[];
  const taken = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<
    Case,
    number[]
  >;
  for (let round = 0; round <= rounds; round++)
    for (const name of names) {
      const ms = await costOf(service, name, keys);
      // The first round warms up.
      if (round > 0) taken[name].push(ms);
    }
  console.log(
    `\nAgents' calls, bare workerd, ${rounds} rounds of ${REQUESTS} in turns: CPU of the Worker in ms a call, median (min-max); target ${TARGET}`,
  );
  for (const name of names) console.log(`  ${name.padEnd(18)} ${range(taken[name], 2)}`);
}

async function costOf(
  { baseUrl, worker }: TestService,
  name: Case,
  keys: string[],
): Promise<number> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const before = processorMs(worker().pid);
  let next = 0;
  const connection = async () => {
    while (next < REQUESTS) {
      const index = next++;
      const { body, ...order } = CASES[name];
      const headers = {
        authorization: `Bearer ${keys[index % keys.length]}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      };
      const request = { ...order, headers, ...(body === undefined ? {} : { body }) };
      const status = await send(agent, baseUrl, request);
      if (status !== 200) throw new Error(`${name} answered ${status}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  agent.destroy();
  return (processorMs(worker().pid) - before) / REQUESTS;
}
