/** Runs again and again while the tab is seen, and at once when it is seen again; returns what ends it. */
export function poll(seconds: () => number | null, run: () => Promise<void>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const arm = () => {
    clearTimeout(timer);
    const pause = seconds();
    if (isOver || pause === null || document.hidden) return;
    timer = setTimeout(() => void run().finally(arm), pause * 1000);
  };
  const seen = () => {
    if (document.hidden) return clearTimeout(timer);
    if (seconds() !== null) void run().finally(arm);
  };
  document.addEventListener("visibilitychange", seen);
  arm();
  return () => {
    isOver = true;
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", seen);
  };
}
