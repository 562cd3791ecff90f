import * as fs from "node:fs";
import { createRequire } from "node:module";
import type { Client } from "pg";
import { mailDomain } from "#src/mime/email-key.ts";

/** The list that comes along: disposable-email-domains (CC0), curated by many, about 9,000 domains. */
export const CURATED_LIST = "curated";

const require = createRequire(import.meta.url);

/** One domain a line, or a JSON array of them. What is no domain is left out. */
export function readList(text: string): string[] {
  const entries = text.trimStart().startsWith("[")
    ? (JSON.parse(text) as unknown[]).map(String)
    : text.split(/\r?\n/).map((line) => line.replace(/#.*/, "").trim());
  return [...new Set(entries.flatMap((entry) => mailDomain(entry.toLowerCase()) ?? []))];
}

export const readCuratedList = (): string[] =>
  readList(
    fs.readFileSync(
      require.resolve("disposable-email-domains-js/dist/dict/disposable_email_blocklist.json"),
      "utf8",
    ),
  );

/** Makes the list what `domains` says, in one statement; a domain stays with the list that brought it first. */
export async function loadDisposableList(
  client: Client,
  list: string,
  domains: readonly string[],
): Promise<{ added: number; removed: number }> {
  const { rows } = await client.query<{ added: number; removed: number }>(
    `with wanted as (select distinct unnest($2::text[]) as domain),
     gone as (
       delete from disposable_domains d
       where d.list = $1 and not exists (select 1 from wanted where wanted.domain = d.domain)
       returning 1
     ),
     fresh as (
       insert into disposable_domains (domain, list) select domain, $1 from wanted
       on conflict (domain) do nothing returning 1
     )
     select (select count(*)::int from fresh) as added, (select count(*)::int from gone) as removed`,
    [list, domains],
  );
  return rows[0]!;
}
