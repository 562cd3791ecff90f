/**
 * `npm run bench:prospects -- [--prospects 2000000]`: what a search of the pool costs under rare, common and mixed tags,
 * and how far its order is the exact one. In a Postgres of its own; nothing fails by being slow.
 */
import { parseArgs } from "node:util";
import { PgDialect } from "drizzle-orm/pg-core";
import pg from "pg";
import { searchStatement } from "#db/research/prospects.ts";
import { machine, percentile } from "../test/bench/report.ts";
import { migrate } from "./apply-migrations.ts";
import { startPostgres } from "./stack/postgres.ts";

const { values } = parseArgs({ options: { prospects: { type: "string", default: "2000000" } } });
const size = Number(values.prospects);
const TAGS = 20_000;
const TAGS_EACH = 8;
const ROUNDS = 120;
const LIMIT = 20;

/** Zipf's law, as tags of people have it: the commonest is on a few per cent of all, most on a handful. */
const LOAD = [
  `insert into prospect_tag_names (tag) select 'tag ' || n from generate_series(1, ${TAGS}) n order by n`,
  `insert into prospects (profile_url, profile_key, full_name, company, title, location, quality, tag_ids, created_at, updated_at)
   select 'https://net.zz/in/p' || n, 'net.zz/in/p' || n, 'Person ' || n, 'Company ' || n % 90000, 'Title ' || n % 500,
          'Place ' || n % 3000, 25 + 25 * (hashint8(n) & 3),
          array(select distinct floor(exp(((hashint8extended(n, k) & 1048575) / 1048576.0) * ln(${TAGS})))::int
                from generate_series(1, ${TAGS_EACH}) k order by 1),
          '2026-01-01', '2026-01-01'
   from generate_series(1, ${size}) n`,
  `insert into prospect_tags select has.id, p.quality, p.id from prospects p, unnest(p.tag_ids) has(id)
   where has.id <= ${TAGS} order by 1, 2 desc, 3`,
  "vacuum analyze prospects",
  "vacuum analyze prospect_tags",
  "analyze prospect_tag_names",
];

const exactOrder = `
  select p.profile_url from (
    select prospect_id, quality, count(*) as overlap from prospect_tags
    where tag_id in (select id from prospect_tag_names where tag = any($1)) group by prospect_id, quality
  ) r join prospects p on p.id = r.prospect_id
  order by overlap desc, r.quality desc, r.prospect_id limit ${LIMIT}`;

const dialect = new PgDialect();
/** From a generator with a seed, so that every run asks the same. */
function createChance(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const chance = createChance(42);
const common = () => 1 + chance(30);
const rare = () => TAGS / 2 + chance(TAGS / 2);
const kinds: Record<string, () => number[]> = {
  "one rare": () => [rare()],
  "three rare": () => [rare(), rare(), rare()],
  "one common": () => [common()],
  "three common": () => [common(), common(), common()],
  "two common, two rare": () => [common(), common(), rare(), rare()],
  "twenty of all kinds": () => Array.from({ length: 20 }, (_, n) => (n % 2 ? common() : rare())),
};

console.log(machine());
const server = await startPostgres({ instance: "bench", durable: false });
const urlOf = (database: string) =>
  `postgres://${server.user}:${server.password}@${server.host}:${server.port}/${database}`;
const admin = new pg.Client({ connectionString: urlOf("postgres") });
await admin.connect();
try {
  await admin.query("create database prospects");
  await migrate(urlOf("prospects"));
  const client = new pg.Client({ connectionString: urlOf("prospects") });
  await client.connect();
  const startedAt = performance.now();
  for (const statement of LOAD) await client.query(statement);
  const { rows } = await client.query(
    "select (select count(*) from prospects) as prospects, count(*) as entries, pg_size_pretty(pg_total_relation_size('prospect_tags')) as size from prospect_tags",
  );
  const loadSeconds = Math.round((performance.now() - startedAt) / 1000);
  console.log(
    `${Number(rows[0].prospects).toLocaleString("en-US")} prospects, ${Number(rows[0].entries).toLocaleString("en-US")} entries (${rows[0].size}), loaded in ${loadSeconds} s`,
  );
  for (const [kind, pick] of Object.entries(kinds)) {
    const times: number[] = [];
    let agreed = 0;
    let judged = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const tags = [...new Set(pick())].map((id) => `tag ${id}`);
      const { sql, params } = dialect.sqlToQuery(searchStatement(tags, LIMIT));
      const asked = performance.now();
      const found = await client.query(sql, params);
      if (round >= ROUNDS / 6) times.push(performance.now() - asked);
      if (round % 12 !== 0) continue;
      const exact = await client.query(exactOrder, [tags]);
      const urls = new Set(exact.rows.map((row) => row.profile_url));
      judged += exact.rows.length;
      agreed += found.rows.filter((row) => urls.has(row.profile_url)).length;
    }
    console.log(
      `${kind.padEnd(22)} p50 ${percentile(times, 0.5).toFixed(1)} ms, p95 ${percentile(times, 0.95).toFixed(1)} ms; ` +
        `of the exact first ${LIMIT}: ${judged === 0 ? "-" : `${((agreed / judged) * 100).toFixed(0)} %`}`,
    );
  }
  await client.end();
} finally {
  await admin.query("drop database if exists prospects with (force)");
  await admin.end();
  await server.close();
}
console.log(machine());
