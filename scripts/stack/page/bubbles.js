import { el } from "./dom.js";

const day = new Intl.DateTimeFormat(undefined, { dateStyle: "full" });
const time = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });

export const timeOfDay = (iso) => time.format(new Date(iso));

/** What was said, oldest first, with a line wherever a day begins. */
export function byDay(items, at, show) {
  const dayOf = (item) => day.format(new Date(at(item)));
  return items.flatMap((item, index) => {
    const before = items[index - 1];
    const isFirst = before === undefined || dayOf(before) !== dayOf(item);
    return isFirst ? [el("li", { class: "day" }, dayOf(item)), show(item)] : [show(item)];
  });
}
