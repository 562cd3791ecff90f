/** Calls under way at once: all of them, and those with one and the same request. */
export interface Load {
  calls: number;
  same: number;
}

export function createTraffic() {
  const underWay = new Map<string, number>();
  let peak: Load = { calls: 0, same: 0 };

  const now = (request: string): Load => ({
    calls: [...underWay.values()].reduce((sum, each) => sum + each, 0),
    same: underWay.get(request) ?? 0,
  });

  return {
    now,
    /** A call begins; the function ends it. */
    enter(request: string): () => void {
      underWay.set(request, (underWay.get(request) ?? 0) + 1);
      const load = now(request);
      peak = { calls: Math.max(peak.calls, load.calls), same: Math.max(peak.same, load.same) };
      return () => {
        const left = (underWay.get(request) ?? 1) - 1;
        if (left === 0) underWay.delete(request);
        else underWay.set(request, left);
      };
    },
    peak: () => peak,
    forgetPeak() {
      peak = { calls: now("").calls, same: Math.max(0, ...underWay.values()) };
    },
  };
}
