import { readFileSync } from "node:fs";
import { claimsOf } from "#src/domain/research/personalization/claims.ts";

export interface Marked {
  source: string;
  text: string;
  spans: { start: number; end: number; kind: "number" | "quote"; isHeld: boolean }[];
}

/** The marked texts of a file; its head documents the format. */
export function readMarked(name: string): Marked[] {
  const file = readFileSync(new URL(name, import.meta.url), "utf8");
  return [...file.matchAll(/^source: (.*)\ntext: (.*)$/gm)].map(([, source, marked]) => ({
    source: source!,
    ...unmarked(marked!),
  }));
}

function unmarked(marked: string): Omit<Marked, "source"> {
  const spans: Marked["spans"] = [];
  let text = "";
  for (const [, plain, sign, inside] of marked.matchAll(/(.*?)(?:\[\[([+-])(.*?)\]\]|$)/g)) {
    text += plain;
    if (inside === undefined) continue;
    const kind = /^["'“„«»]/.test(inside) ? "quote" : "number";
    spans.push({
      start: text.length,
      end: text.length + inside.length,
      kind,
      isHeld: sign === "+",
    });
    text += inside;
  }
  return { text, spans };
}

export interface Miss {
  span: string;
  of: string;
  why: "missed" | "source not found" | "source invented";
}

/** What the product's claims miss or look up wrongly in the marked texts. */
export function missesOf(texts: readonly Marked[]): Miss[] {
  return texts.flatMap(({ source, text, spans }) => {
    const claims = claimsOf(text, [{ name: "lead_data", text: source }]);
    return spans.flatMap(({ start, end, kind, isHeld }): Miss[] => {
      const span = text.slice(start, end);
      const over = claims.filter(
        (each) => each.kind === kind && each.start < end && start < each.end,
      );
      const whole = over.filter((each) => isWhole(text, each, { start, end }));
      if (whole.length === 0) return [{ span, of: text, why: "missed" }];
      if (whole.some((each) => (each.source_index !== null) === isHeld)) return [];
      return [{ span, of: text, why: isHeld ? "source not found" : "source invented" }];
    });
  });
}

/** The claim has all the figures, and all the words of a number, that the mark has. */
function isWhole(text: string, claim: Span, mark: Span): boolean {
  const figures = (span: Span) => text.slice(span.start, span.end).replace(/[^\p{N}]/gu, "");
  if (figures(mark) !== "") return figures(claim).includes(figures(mark));
  return claim.start <= mark.end && claim.end >= mark.end;
}

interface Span {
  start: number;
  end: number;
}
