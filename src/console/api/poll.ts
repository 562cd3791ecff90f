/** How long to wait before `seconds` is asked again whether to go on, in ms. */
const LOOK_AGAIN_MS = 5_000;

/**
 * Runs again and again while the tab is seen, and at once when it is seen again; returns what ends it. `seconds` is the
 * pause before the next run, null while there is to be none.
 */
export function poll(seconds: () => number | null, run: () => Promise<void>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const arm = () => {
    clearTimeout(timer);
    if (isOver || document.hidden) return;
    const pause = seconds();
    timer =
      pause === null
        ? setTimeout(arm, LOOK_AGAIN_MS)
        : setTimeout(() => void run().finally(arm), pause * 1000);
  };
  const seen = () => {
    if (document.hidden) return clearTimeout(timer);
    if (seconds() === null) return arm();
    clearTimeout(timer);
    void run().finally(arm);
  };
  document.addEventListener("visibilitychange", seen);
  arm();
  return () => {
    isOver = true;
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", seen);
  };
}
