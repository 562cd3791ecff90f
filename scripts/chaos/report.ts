import type { Claim } from "./books.ts";
import type { Disturbance } from "./disturbances.ts";
import type { Outcome } from "./run.ts";

const MOST_SHOWN = 10;

/** What was done and what came of it, in Markdown. */
export function reportOf(run: {
  machine: string;
  minutes: number;
  seed: number;
  done: readonly Outcome[];
  kinds: readonly Disturbance[];
  asked: Record<string, { asked: number; done: number }>;
  claims: readonly Claim[];
}): string {
  const times = (each: Disturbance) =>
    run.done.filter(({ disturbance }) => disturbance === each).length;
  const broken = run.claims.filter(({ broken: all }) => all.length > 0);
  return [
    "# Chaos",
    `${run.minutes.toFixed(1)} minutes, seed ${run.seed}, ${run.done.length} disturbances; ${run.machine}`,
    Object.entries(run.asked)
      .map(([name, { asked, done }]) => `${name}: ${done} of ${asked} done`)
      .join("; "),
    "| what | how | times |\n| --- | --- | --- |\n" +
      run.kinds
        .map((each) => `| ${each.of} ${each.kind} | ${each.what} | ${times(each)} |`)
        .join("\n"),
    "| claim | looked at | broken |\n| --- | --- | --- |\n" +
      run.claims
        .map(({ what, of, broken: all }) => `| ${what} | ${of} | ${all.length} |`)
        .join("\n"),
    ...broken.map(
      ({ what, broken: all }) =>
        `Not so: ${what}\n${all
          .slice(0, MOST_SHOWN)
          .map((each) => `- ${each}`)
          .join("\n")}`,
    ),
    broken.length === 0
      ? "Nothing was lost, doubled, or charged without an answer."
      : `${broken.length} claims are broken.`,
    "",
  ].join("\n\n");
}
