import { rewriteLinks, type TrackedLink } from "#src/domain/messages/tracking/rewrite-links.ts";
import { createTrackTokens } from "#src/domain/messages/tracking/track-token.ts";
import { medianOf, measured, pairedRounds, printRow, printTarget, type Round } from "./rounds.ts";

const PAGES = 1_000;
const TARGET_MS = 0.3;

const tracked = (number: number) =>
  `<p style="margin:0 0 12px;color:#222">Some words before it, <a class="link" href="https://acme.zz/products/${number}?ref=mail&amp;plan=team">the product</a> and so many words behind it that a reader has something to read, as in most letters of this very kind.</p>\n`;
const untracked = [
  '<p><a href="mailto:ann@acme.zz">write to us</a> or <a href="tel:+41440000000">call</a></p>\n',
  '<p><a href="https://link.sender.zz/u/AAAAAAAAAAAAAAAAAAAA">Unsubscribe</a></p>\n',
  '<!-- <a href="https://acme.zz/comment">no link</a> -->\n',
  '<p><a href="https://other.zz/">www.acme.zz</a> <a href=https://acme.zz/unquoted data-no-track>x</a></p>\n',
].join("");
const LINKS = 10;
const page = `<html><body>\n${Array.from({ length: LINKS }, (_, n) => tracked(n)).join("")}${untracked}</body></html>`;

const rules = { patterns: [], ownPrefixes: ["https://link.sender.zz/"] };
const tokens = createTrackTokens(["a secret of the benchmark"]);
const sendId = "0190b0a0-1234-7abc-8def-000000000000";
const signed = async ({ index, url }: TrackedLink) =>
  `https://link.sender.zz/c/${await tokens.sign({ kind: "click", sendId, linkIndex: index, url })}`;
const unsigned = async ({ index }: TrackedLink) => `https://link.sender.zz/c/${index}`;

/** Time to find the links of a page and put tracking addresses in their place, with and without signing those. */
export async function benchRewrite(rounds: number): Promise<void> {
  const { links } = await rewriteLinks(page, rules, unsigned);
  if (links.length !== LINKS) throw new Error(`${links.length} links instead of ${LINKS}`);
  console.log(`\nrewrite: ${PAGES} pages of ${page.length} bytes a run, ${LINKS} links each`);
  const contenders = [
    { name: "as sent", address: signed },
    { name: "unsigned", address: unsigned },
  ].map(({ name, address }) => ({
    name,
    run: () =>
      measured(async () => {
        for (let number = 0; number < PAGES; number++) await rewriteLinks(page, rules, address);
      }),
  }));
  const columns = contenders.flatMap((_, index) => [
    (round: Round) => round[index]!.wallMs / (2 * PAGES),
    (round: Round) => round[index]!.cpuMs / (2 * PAGES),
  ]);
  const cells = (figures: readonly number[]) => figures.map((figure) => `${figure.toFixed(3)} ms`);
  printRow(
    "round",
    contenders.flatMap(({ name }) => [name, "CPU"]),
  );
  const results = await pairedRounds(contenders, rounds, (round, number) =>
    printRow(String(number), cells(columns.map((column) => column(round)))),
  );
  const medians = columns.map((column) => medianOf(results, column));
  printRow("median", cells(medians));
  printTarget("a page as sent", { of: "at most", value: TARGET_MS }, medians[0]!, " ms");
}
