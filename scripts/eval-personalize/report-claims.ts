import { missesOf, readMarked } from "./claims.ts";

/** True when no number and no quotation of the marked texts is missed, or looked up wrongly. */
export function reportClaims(): boolean {
  const results = (["tune", "held-out"] as const).map((split) => {
    const texts = readMarked(`claims-${split}.txt`);
    const spans = texts.flatMap((each) => each.spans);
    const misses = missesOf(texts);
    const quotes = spans.filter(({ kind }) => kind === "quote").length;
    const found = spans.length - misses.length;
    console.log(
      `Claims, ${split}: ${found} of ${spans.length} found and looked up rightly (${spans.length - quotes} numbers, ${quotes} quotations)`,
    );
    for (const { span, why, of } of misses) console.log(`  ${why}: ${span}, in: ${of}`);
    return misses.length === 0 && spans.length >= 100;
  });
  return results.every(Boolean);
}
