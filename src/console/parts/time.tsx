import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { serverNow } from "../api/clock.ts";
import { timeWords, type TimeStyle } from "../pure/time-words.ts";

const TICK_MS = 10_000;

/** An instant in words, exact to the second when one points at it; "ago" goes on by itself. */
export function Time(props: { at: string | number; as?: TimeStyle; zone?: string | undefined }) {
  const { at, as = "full", zone } = props;
  const instant = new Date(at);
  const tick = useSignal(0);
  useEffect(() => {
    if (as !== "ago") return undefined;
    const timer = setInterval(() => tick.value++, TICK_MS);
    return () => clearInterval(timer);
  }, [as]);
  void tick.value;
  const now = new Date(serverNow());
  if (Number.isNaN(instant.getTime())) return <span>{String(at)}</span>;
  const exact = timeWords(instant, "exact", now, zone);
  return (
    <time dateTime={instant.toISOString()} title={zone === undefined ? exact : `${exact}, ${zone}`}>
      {timeWords(instant, as, now, zone)}
    </time>
  );
}
