interface Span {
  start: number;
  end: number;
}

/** Whether a span lies within one of the others, told by its ends: in time for many of both. */
export function coverOf(length: number, spans: readonly Span[]): (span: Span) => boolean {
  const covered = new Uint8Array(length);
  for (const { start, end } of spans) covered.fill(1, start, end);
  return ({ start, end }) => covered[start] === 1 && covered[end - 1] === 1;
}
