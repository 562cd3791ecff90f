import { beforeAll, expect, test } from "vitest";
import type { ModelPart } from "../../scripts/stack/model/model.ts";
import { type TestService } from "../support/service.ts";
import { sharedService } from "../support/shared-service.ts";

let service: TestService;
let model: ModelPart;
beforeAll(async () => {
  service = await sharedService();
  ({ model } = service.stack);
});

/** A preview's status, and how often it asked the model. */
async function preview(): Promise<{ status: number; asked: number }> {
  model.log.clear();
  const response = await fetch(`${service.baseUrl}/api/v1/personalize/preview`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${service.access.api_key}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({
      lead_data: { first_name: "Anna", company: "Nordwind", title: "CTO" },
      sender_data: { full_name: "Jonas Berg", company: "Lotsen" },
      research_context: "Nordwind runs 42 halls in the north.",
    }),
  });
  await response.text();
  return { status: response.status, asked: model.asked().length };
}
const ordered = (fault: string, times = 1) => {
  model.faults.order(fault, times);
  return preview();
};

test("in the Worker's own runtime a line that breaks is tried again", async () => {
  for (const fault of ["down", "lost-answer", "500"])
    expect([fault, await ordered(fault)]).toEqual([fault, { status: 200, asked: 2 }]);
});

test("there a lying endpoint is a failure and no crash: pages, other JSON, 100 MB, another host, another key", async () => {
  for (const fault of ["html", "wrong-json", "huge", "redirect"]) {
    expect([fault, await ordered(fault)]).toEqual([fault, { status: 502, asked: 1 }]);
    expect(await preview()).toEqual({ status: 200, asked: 1 });
  }
  expect(await ordered("unauthorized")).toEqual({ status: 502, asked: 0 });
});

test("there the breaker opens, is told by the status page, and closes again", async () => {
  const condition = async () => {
    const response = await fetch(`${service.baseUrl}/api/v1/status`);
    const { components } = (await response.json()) as { components: { model: { status: string } } };
    return components.model.status;
  };
  for (let count = 0; count < 5; count++) await ordered("html");
  expect((await preview()).asked).toBe(0);
  expect(await condition()).toBe("degraded");
  await service.advance(31);
  expect(await preview()).toEqual({ status: 200, asked: 1 });
  expect(await condition()).toBe("healthy");
});
