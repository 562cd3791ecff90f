import type { MessageCounts } from "#db/messages/tracked-hits.ts";
import { countsAsPerson, type Verdict } from "./classify.ts";
import type { Hit } from "./hit.ts";

/**
 * People's and machines' hits, each link (and the pixel) once a minute: mail programs ask again. A
 * machine's hit does not hide a person's in the same minute.
 */
export function tallyHits(
  hits: readonly (Pick<Hit, "kind" | "at" | "linkIndex"> & Verdict)[],
): MessageCounts {
  const slots = {
    open: { people: new Set<string>(), machines: new Set<string>() },
    click: { people: new Set<string>(), machines: new Set<string>() },
  };
  const first: Record<Hit["kind"], Date | null> = { open: null, click: null };
  for (const hit of hits) {
    const isPerson = countsAsPerson(hit);
    const slot = `${hit.linkIndex} ${Math.floor(hit.at.getTime() / 60_000)}`;
    slots[hit.kind][isPerson ? "people" : "machines"].add(slot);
    const earliest = first[hit.kind];
    if (isPerson && (earliest === null || hit.at < earliest)) first[hit.kind] = hit.at;
  }
  return {
    opens: slots.open.people.size,
    clicks: slots.click.people.size,
    machineOpens: slots.open.machines.size,
    machineClicks: slots.click.machines.size,
    firstOpenedAt: first.open,
    firstClickedAt: first.click,
  };
}
