import { beforeAll, expect, test } from "vitest";
import { type TestService } from "../support/service.ts";
import { sharedService } from "../support/shared-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await sharedService();
});

async function upload(csv: Uint8Array | string) {
  const { id } = (await service.api("POST", "/api/v1/datasets", { name: "Leads" })) as {
    id: string;
  };
  const form = new FormData();
  form.append(
    "file",
    new Blob([typeof csv === "string" ? csv : Uint8Array.from(csv)]),
    "leads.csv",
  );
  const report = await service.api("POST", `/api/v1/datasets/${id}/import`, form);
  return { id, report };
}

test("the Worker imports what a spreadsheet program saved as Unicode text", async () => {
  const text =
    "\ufeffE-Mail\tVorname\tLand\tZeit\r\nann@bücher.example\tJürgen\tDeutschland\tEurope/Berlin\r\n";
  for (const bytes of [Buffer.from(text, "utf16le"), Buffer.from(text, "utf16le").swap16()]) {
    const { id, report } = await upload(bytes);
    expect(report).toMatchObject({ created: 1, rejected: 0 });
    const { items } = (await service.api("GET", `/api/v1/datasets/${id}/leads`)) as {
      items: unknown[];
    };
    expect(items).toMatchObject([
      { email: "ann@xn--bcher-kva.example", first_name: "Jürgen", country: "DE" },
    ]);
  }
});

test("the Worker imports and exports a large file as a stream", async () => {
  const row = (n: number) => `p${n}@example.com,First ${n},"Company, ${n}"\n`;
  const rows = Array.from({ length: 3_500 }, (_, n) => row(n)).join("");
  const { id, report } = await upload(`email,first_name,company\n${rows}`);
  expect(report).toMatchObject({ total: 3_500, created: 3_500 });
  const response = await fetch(`${service.baseUrl}/api/v1/datasets/${id}/leads.csv`, {
    headers: { authorization: `Bearer ${service.access.api_key}` },
  });
  const lines = (await response.text()).trimEnd().split("\r\n");
  expect(lines).toHaveLength(3_501);
  expect(lines.at(-1)).toMatch(/^"3500","p3499@example.com","First 3499"/);
});
