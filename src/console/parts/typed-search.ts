import { useEffect, useRef } from "preact/hooks";
import { isReading } from "../api/cache.ts";

const AFTER_MS = 20;
const LOOK_AGAIN_MS = 30;
/** An answer that does not come does not hold up the next search. */
const MOST_MS = 1_000;

/**
 * What is typed is searched for soon after each key, but not while an answer is on its way: one search runs at a time,
 * the last one for all that was typed.
 */
export function useTypedSearch(search: (text: string) => void): (text: string) => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (text) => {
    const latest = Date.now() + MOST_MS;
    const look = () => {
      if (isReading() && Date.now() < latest) timer.current = setTimeout(look, LOOK_AGAIN_MS);
      else search(text);
    };
    clearTimeout(timer.current);
    timer.current = setTimeout(look, AFTER_MS);
  };
}
