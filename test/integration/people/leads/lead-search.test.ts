import { describe, expect, test } from "vitest";
import { searchLeads } from "#db/people/lead-search.ts";
import { api, query, tenant, useApi } from "../../../support/use-api.ts";

useApi({ eachTest: true });

interface Person {
  email?: string;
  profile_url?: string;
  first_name?: string;
  last_name?: string;
  full_name?: string;
  company?: string;
}
/** A dataset with these leads, named by what finds them. */
async function dataset(people: Person[], owner = tenant): Promise<string> {
  const { body } = await owner.call("POST", "/api/v1/datasets", { name: "Leads" });
  for (const person of people)
    expect(
      (await owner.call("POST", `/api/v1/datasets/${body.id}/leads`, person)).status,
    ).toBeLessThan(300);
  return body.id;
}
const search = async (q: string, rest = "") => {
  const { status, body } = await tenant.call(
    "GET",
    `/api/v2/leads?q=${encodeURIComponent(q)}${rest}`,
  );
  expect([status, body]).toEqual([200, expect.anything()]);
  return body;
};
const found = async (q: string): Promise<string[]> =>
  (await search(q)).items.map((lead: { email: string }) => lead.email);

describe("GET /leads", () => {
  test("finds in all datasets, by a part of address, name and company", async () => {
    await dataset([
      { email: "ada@analytical.zz", first_name: "Ada", last_name: "Lovelace" },
      { email: "grace@navy.zz", full_name: "Rear Admiral Hopper", company: "100%_Navy" },
    ]);
    await dataset([{ email: "ida@analytical.zz", company: "Analytical Engines" }]);
    expect((await found("ANALYTICAL")).sort()).toEqual(["ada@analytical.zz", "ida@analytical.zz"]);
    expect(await found("a lovel")).toEqual(["ada@analytical.zz"]);
    expect(await found("engines")).toEqual(["ida@analytical.zz"]);
    expect(await found("admiral hop")).toEqual(["grace@navy.zz"]);
    expect(await found("0%_n")).toEqual(["grace@navy.zz"]);
    for (const nothing of ["_a", "' or true --", "\\", "nowhere"])
      expect(await found(nothing)).toEqual([]);
  });

  test("finds a whole address wherever it is, and only itself", async () => {
    const first = await dataset([{ email: "Ada@Example.zz" }, { email: "xada@example.zz" }]);
    const second = await dataset([{ email: "ada@example.zz" }]);
    const { items } = await search("ADA@example.zz");
    expect(items.map((lead: { dataset_id: string }) => lead.dataset_id)).toEqual(
      [first, second].sort(),
    );
    const page = await search("ADA@example.zz", "&limit=1");
    expect(page).toMatchObject({ has_more: true });
    const rest = await search("ADA@example.zz", `&limit=1&cursor=${page.next_cursor}`);
    expect([...page.items, ...rest.items]).toEqual(items);
    expect(rest).toMatchObject({ has_more: false, next_cursor: null });
  });

  test("leaves out other workspaces and deleted datasets", async () => {
    const gone = await dataset([{ email: "ada@gone.zz" }]);
    await dataset([{ email: "ada@other.zz" }], await api.tenant());
    await tenant.call("DELETE", `/api/v1/datasets/${gone}`);
    // Its leads may be there for a while.
    const going = await dataset([{ email: "ada@going.zz" }]);
    await query`update datasets set deleted_at = now() where id = ${going}`;
    for (const q of ["ada", "ada@gone.zz", "ada@going.zz", "ada@other.zz"])
      expect(await found(q)).toEqual([]);
  });

  test("walks over every lead once, by pages and by how many are looked at", async () => {
    const people = (from: number) =>
      Array.from({ length: 7 }, (_, n) => ({
        email: `${n % 3 === 0 ? "ada" : "bob"}-${from + n}@example.zz`,
      }));
    const ids = [await dataset(people(0)), await dataset(people(7)), await dataset(people(14))];
    const { workspaceId } = tenant;
    const expected = await query`
      select id from leads where dataset_id = any(${ids}::uuid[]) and email like 'ada%' order by dataset_id, row_index`;
    for (const [limit, lookedAt] of [
      [2, 100],
      [100, 1],
      [100, 4],
      [1, 3],
      [2, 7],
      [3, 21],
      [3, 20],
    ] as const) {
      const seen: string[] = [];
      let after: Parameters<typeof searchLeads>[2]["after"];
      for (let pages = 0; pages < 50; pages++) {
        const { rows, reached } = await searchLeads(
          api.deps.db,
          workspaceId,
          { part: "ADA-", after, limit },
          lookedAt,
        );
        const page = rows.slice(0, limit);
        seen.push(...page.map(({ id }) => id));
        after = rows.length > limit ? page.at(-1)! : (reached ?? undefined);
        if (after === undefined) break;
      }
      expect([limit, lookedAt, seen]).toEqual([limit, lookedAt, expected.map(({ id }) => id)]);
    }
  });

  test("refuses what is no search", async () => {
    for (const asked of ["", "q=", "q=%20", `q=${"x".repeat(321)}`, "q=a&cursor=abc", "q=%00"])
      expect((await tenant.call("GET", `/api/v2/leads?${asked}`)).status).toBe(422);
  });
});
