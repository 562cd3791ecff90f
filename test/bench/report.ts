import * as os from "node:os";

/** Under which circumstances figures were taken; without it they say nothing. */
export function machine(): string {
  const [cpu] = os.cpus();
  const load = os.loadavg().map((value) => value.toFixed(1));
  return `${os.cpus().length} x ${cpu?.model ?? "unknown CPU"}, ${Math.round(os.totalmem() / 2 ** 30)} GiB, load ${load.join(" ")}, ${process.platform} Node ${process.versions.node}`;
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const range = (values: number[], digits = 0): string =>
  `${median(values).toFixed(digits)} (${Math.min(...values).toFixed(digits)}-${Math.max(...values).toFixed(digits)})`;
