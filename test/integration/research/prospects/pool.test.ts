import { Client } from "pg";
import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { optOutProspect, undoOptOuts } from "#db/research/opt-outs.ts";
import { RANKED_WHOLE, searchProspects } from "#db/research/prospects.ts";
import { findProspects } from "#src/domain/research/prospects/search.ts";
import { profileHashes } from "#src/domain/research/prospects/person-key.ts";
import { importProspectFile } from "../../../../scripts/prospect-import.ts";
import { meetAtRow } from "../../../support/locks.ts";
import { api, useApi } from "../../../support/use-api.ts";

useApi();
beforeEach(() =>
  api.sql.query("truncate prospects, prospect_tags, prospect_tag_names, prospect_opt_outs"),
);

async function importLines(...lines: string[]) {
  const client = new Client({ connectionString: api.databaseUrl });
  await client.connect();
  const file = (async function* () {
    yield new TextEncoder().encode(`${lines.join("\n")}\n`);
  })();
  return importProspectFile(client, file).finally(() => client.end());
}

const HEADER = "profile_url,full_name,company,title,location,tags,quality";
const person = (name: string, tags: string, quality = "") =>
  `https://net.zz/in/${name},${name},Corp,CTO,Oslo,${tags},${quality}`;
const search = async (tags: string[], limit = 20) =>
  (await findProspects(api.deps, { tags, limit })).map(({ fullName }) => fullName);
/** The entries under tags, as the people's own tags say they must be. */
const drift = async () =>
  (
    await api.sql.query(`
      (select tag_id, quality, prospect_id from prospect_tags
       except all select has.id, p.quality, p.id from prospects p, unnest(p.tag_ids) has(id))
      union all
      (select has.id, p.quality, p.id from prospects p, unnest(p.tag_ids) has(id)
       except all select tag_id, quality, prospect_id from prospect_tags)`)
  ).rows;

test("most tags first, then the better entry, then the older one", async () => {
  await importLines(
    HEADER,
    person("one", "saas;oslo", "50"),
    person("both", "SaaS;Fintech;oslo", "10"),
    person("better", "fintech", "90"),
    person("older", "saas", "50"),
    person("neither", "oslo", "99"),
  );
  expect(await search(["fintech", "saas"])).toEqual(["both", "better", "one", "older"]);
  expect(await search(["fintech", "saas"], 2)).toEqual(["both", "better"]);
  expect(await search(["unheard of"])).toEqual([]);
});

test("a result says whom it is, which tags fit, and what share of those asked for", async () => {
  await importLines(HEADER, person("anna", "SaaS; Fintech ;Oslo"));
  expect(await findProspects(api.deps, { tags: ["OSLO ", "saas", "saas", "x"], limit: 5 })).toEqual(
    [
      {
        profileUrl: "https://net.zz/in/anna",
        fullName: "anna",
        company: "Corp",
        title: "CTO",
        location: "Oslo",
        tags: ["fintech", "oslo", "saas"],
        matchedTags: ["oslo", "saas"],
        score: 0.667,
      },
    ],
  );
});

test("common tags rank the best of each, and whom several of them fit is still first", async () => {
  // More entries than are ranked whole; quality falls with the number.
  const half = RANKED_WHOLE / 2 + 500;
  await api.sql.query(`insert into prospect_tag_names (tag) values ('a'), ('b')`);
  await api.sql.query(
    `insert into prospects (profile_url, profile_key, full_name, quality, tag_ids, created_at, updated_at)
     select 'https://net.zz/' || n, 'net.zz/' || n, 'p' || n, 99 - n * 98 / $1::int,
            array(select id from prospect_tag_names where tag = case when n % 2 = 0 then 'a' else 'b' end
                  or n = 1000 order by id), '2026-01-01', '2026-01-01'
     from generate_series(1, 2 * $1::int) n`,
    [half],
  );
  await api.sql.query(
    "insert into prospect_tags select has.id, p.quality, p.id from prospects p, unnest(p.tag_ids) has(id)",
  );
  expect(await search(["a", "b"], 3)).toEqual(["p1000", "p1", "p2"]);
  expect(await search(["a"], 2)).toEqual(["p2", "p4"]);
});

test("importing again changes nothing twice: people are replaced whole, and entries follow their tags", async () => {
  const first = await importLines(HEADER, person("anna", "saas;oslo"), person("ben", "saas"));
  expect(first).toMatchObject({ total: 2, added: 2, updated: 0, rejected: 0 });
  expect(await importLines(HEADER, person("anna", "saas;oslo"))).toMatchObject({
    added: 0,
    updated: 1,
  });
  expect(await importLines(HEADER, person("ANNA", "fintech", "7"))).toMatchObject({ updated: 1 });
  expect(await search(["saas", "oslo"])).toEqual(["ben"]);
  expect(await search(["fintech"])).toEqual(["ANNA"]);
  expect(await drift()).toEqual([]);
});

test("rows that cannot be used are named, the others are taken in; addresses stay behind", async () => {
  const report = await importLines(
    "Profile,Name,Email,Tags,Quality",
    "https://net.zz/in/anna,Anna,anna@corp.zz,saas,",
    "https://net.zz/in/ben,Ben,,,",
    "nothing,Carl,,saas,",
    "https://net.zz/in/dora,,dora@corp.zz,saas,",
    "https://net.zz/in/emil,Emil,,saas,101",
    "https://net.zz/in/anna,Anna Again,,saas,",
  );
  expect(report).toMatchObject({ total: 6, added: 1, rejected: 4 });
  expect(report.faults).toEqual([
    "Line 3: a prospect needs a tag to be found by",
    expect.stringContaining("Line 4: "),
    "Line 5: a prospect needs a name",
    "Line 6: quality is no whole number from 0 to 100",
  ]);
  const { rows } = await api.sql.query("select * from prospects");
  expect(rows).toHaveLength(1);
  expect(rows[0].full_name).toBe("Anna Again");
  expect(JSON.stringify(rows)).not.toContain("anna@corp.zz");
});

test("an opt-out that the operator took back under another spelling does not come again by its old link", async () => {
  await importLines(HEADER, person("carl", "saas"));
  const [askedAt, now] = [api.deps.clock.now(), api.deps.clock.now()];
  const whole = { shownKey: null, confirmedBy: "mailbox:1", askedFrom: null, askedAt, now };
  const hashes = ["spelled", "person"].map((name) => name.padEnd(64, "0")) as [string, string];
  await optOutProspect(api.deps.db, {
    ...whole,
    poolKeys: [],
    profileHashes: [hashes[0], hashes[0]],
  });
  await undoOptOuts(api.deps.db, [hashes[0]], new Date(now.getTime() + 1));
  const again = {
    ...whole,
    poolKeys: ["net.zz/in/carl"],
    profileHashes: [hashes[1], hashes[0]],
  } as const;
  expect(await optOutProspect(api.deps.db, { ...again, poolKeys: ["net.zz/in/carl"] })).toEqual({
    stands: false,
    gone: 0,
  });
});

const optOut = async (key = "net.zz/in/anna") =>
  optOutProspect(api.deps.db, {
    poolKeys: [key],
    profileHashes: await profileHashes(key),
    shownKey: key,
    confirmedBy: "mailbox:0123456789abcdef",
    askedFrom: null,
    askedAt: api.deps.clock.now(),
    now: api.deps.clock.now(),
  });

test("who opted out is gone, and a later import does not bring them back", async () => {
  await importLines(HEADER, person("anna", "saas;oslo"), person("ben", "saas"));
  expect(await optOut()).toEqual({ stands: true, gone: 1 });
  expect(await optOut()).toEqual({ stands: true, gone: 0 });
  expect(await search(["saas", "oslo"])).toEqual(["ben"]);
  expect(await drift()).toEqual([]);
  expect(await importLines(HEADER, person("anna", "saas"))).toMatchObject({
    added: 0,
    optedOut: 1,
  });
  expect(await search(["saas"])).toEqual(["ben"]);
});

test("who opts out while an import is under way that brings them is gone", async () => {
  await importLines(HEADER, person("ben", "saas"));
  // The import waits for it, and has read the opt-outs.
  const ben = "select 1 from prospects where full_name = 'ben' for update";
  const bring = () => importLines(HEADER, person("anna", "saas"), person("ben", "saas"));
  await meetAtRow(api.sql, ben, [], [bring, () => optOut()]);
  expect(await search(["saas"])).toEqual(["ben"]);
  expect(await drift()).toEqual([]);
});

test("a member's page is one person under each country's host, and an entry from before is replaced", async () => {
  await importLines(HEADER, person("ben", "saas"));
  await api.sql.query(
    "update prospects set profile_key = 'de.linkedin.com/in/anna/en', full_name = 'before'",
  );
  const line = (url: string, name: string) => `${url},${name},Corp,CTO,Oslo,saas,`;
  const all = [
    line("https://de.linkedin.com/in/anna/en", "one"),
    line("https://www.linkedin.com/in/Anna?trk=x", "two"),
    line("https://uk.linkedin.com/in/ann%61/", "three"),
  ];
  for (const each of all) await importLines(HEADER, each);
  expect(await search(["saas"])).toEqual(["three"]);
  const { rows } = await api.sql.query("select profile_url, profile_key from prospects");
  expect(rows).toEqual([
    {
      profile_url: "https://uk.linkedin.com/in/ann%61",
      profile_key: "linkedin.com/in/anna",
    },
  ]);
  expect(await drift()).toEqual([]);
});

test("imports at once leave each person once, with the entries of one of them", async () => {
  const imports = ["a;b", "b;c", "c;d", "a;d"].map((tags) =>
    importLines(HEADER, ...Array.from({ length: 30 }, (_, n) => person(`p${n}`, tags))),
  );
  const reports = await Promise.all(imports);
  expect(reports.reduce((sum, { added }) => sum + added, 0)).toBe(30);
  expect(await drift()).toEqual([]);
});

test("tags of any script and any sign are found as they were given", async () => {
  const tag = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }).filter((text) => {
    const [plain] = [text.trim()];
    // What a CSV cell or the import takes apart or refuses.
    // oxlint-disable-next-line no-control-regex
    return plain !== "" && !/[\u0000-\u001f\u007f,;|'"]/.test(text) && text.isWellFormed();
  });
  await fc.assert(
    fc.asyncProperty(tag, async (text) => {
      await importLines(HEADER, person("anna", `"${text}"`));
      expect(await search([text])).toEqual(["anna"]);
    }),
    { numRuns: 60 },
  );
  for (const hostile of ['{"a"}', "\\", '"', "a,b", "{}", "%", "$1", "'; drop table prospects"])
    expect(await searchProspects(api.deps.db, { tags: [hostile], limit: 5 })).toEqual([]);
});
