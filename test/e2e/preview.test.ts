import { beforeAll, expect, test } from "vitest";
import { type TestService } from "../support/service.ts";
import { sharedService } from "../support/shared-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await sharedService();
});

interface Preview {
  subject: string;
  email_body: string;
  model_used: string;
  research_sources: { name: string; status: string; summary: string }[];
  research_meta: { zero_research_reason?: string };
}

const preview = (lead: object) =>
  service.api("POST", "/api/v1/personalize/preview", {
    lead_data: { first_name: "Ada", last_name: "Lovelace", ...lead },
    sender_data: { full_name: "Max Overture", value_proposition: "Sending that explains itself" },
  }) as Promise<Preview>;

test("the Worker in workerd writes a preview from a website, search results and the lead", async () => {
  const made = await preview({
    company: "Analytical Engines",
    website: "https://analytical-engines.zz",
  });
  expect(made.model_used).toBe("local-composer-1");
  expect(made.email_body).toContain("Ada");
  expect(made.research_sources).toMatchObject([
    {
      name: "website",
      status: "ok",
      summary: expect.stringContaining("312 mechanical calculators"),
    },
    { name: "search", status: "ok", summary: expect.stringContaining("Bernoulli") },
    { name: "profile", status: "skipped" },
  ]);
});

test("workerd reads other encodings, and neither bombs nor depth nor this machine", async () => {
  const websiteOf = async (website: string) => {
    const { research_sources, research_meta } = await preview({ website });
    return { ...research_sources[0]!, reason: research_meta.zero_research_reason };
  };
  expect((await websiteOf("shift-jis.zz")).summary).toContain("1958年に大阪で創業した精密歯車");
  expect((await websiteOf("cyrillic.zz")).summary).toContain("Компания основана в 2004 году");
  const reasons: Record<string, string> = {
    "gzip-bomb.zz": "too_short",
    "huge.zz": "too_short",
    "deep.zz": "too_short",
    "endless.zz": "fetch_failed",
    "cut-short.zz": "fetch_failed",
    "inward.zz": "blocked_by_guard",
    "inward-name.zz": "blocked_by_guard",
    "http://127.0.0.1:8787/": "blocked_by_guard",
    "scripted.zz": "javascript_only",
    "robots-in-trouble.zz": "robots_disallowed",
  };
  const found: Record<string, string | undefined> = {};
  for (const website of Object.keys(reasons)) found[website] = (await websiteOf(website)).reason;
  expect(found).toEqual(reasons);
});
