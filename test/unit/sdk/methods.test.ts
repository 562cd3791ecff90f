import * as fs from "node:fs";
import * as path from "node:path";
import { expect, test } from "vitest";
import { METHODS } from "#src/sdk/methods.ts";
import { rootFolder } from "../../../scripts/command.ts";

interface Described {
  security?: Record<string, string[]>[];
}
const file = path.join(rootFolder, "public/openapi/v2.json");
const { paths } = JSON.parse(fs.readFileSync(file, "utf8")) as {
  paths: Record<string, Record<string, Described>>;
};

test("every operation that a key may call is one method, and no method is another's", () => {
  const described = Object.entries(paths).flatMap(([at, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => security?.length !== 0)
      .map(([method]) => `${method.toUpperCase()} ${at.slice(8).replaceAll(/\{\w+\}/g, "{}")}`),
  );
  const made = Object.values(METHODS).flatMap((methods) =>
    Object.values(methods).map((place) => place.replaceAll(/[!+?*](?=.* )/g, "")),
  );
  expect(new Set(made).size).toBe(made.length);
  const health = ["GET health", "GET ready", "GET status"];
  expect(made.toSorted()).toEqual([...described, ...health].toSorted());
});

test("the names that are written down keep to what they were", () => {
  const { campaigns, webhooks, events, leads } = METHODS;
  expect(campaigns!["launch"]).toBe("POST! campaigns/{}/launch");
  expect(campaigns!["plan"]).toBe("POST!+ campaigns/plan");
  expect(campaigns!["applyPlan"]).toBe("POST!+ campaigns/apply");
  expect(events!["list"]).toBe("GET?* events");
  expect(webhooks!["rotateSecret"]).toBe("POST! webhooks/{}/rotate-secret");
  expect(leads!["getTimeline"]).toBe("GET?* leads/{}/timeline");
});
