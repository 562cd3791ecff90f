import { num } from "../pure/words.ts";

/** So many of so many, as figures and as a bar beneath. */
export function Meter({ value, of }: { value: number; of: number }) {
  const share = of === 0 ? 0 : Math.min(100, (value / of) * 100);
  return (
    <span class="used">
      {num(value)} of {num(of)}
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect width="100" height="6" />
        <rect class="part" width={share} height="6" />
      </svg>
    </span>
  );
}
