import type { Table } from "../journal.ts";

/** A collection that only grows, and of which one group is read at a time, oldest first. */
export interface Grouped<Item> {
  get(id: string): Item | undefined;
  add(id: string, item: Item): void;
  of(group: string): readonly Item[];
  values(): Item[];
  readonly size: number;
}

export function grouped<Item>(table: Table<Item>, groupOf: (item: Item) => string): Grouped<Item> {
  const groups = Map.groupBy(table.values(), groupOf);
  return {
    get: table.get,
    add(id, item) {
      table.put(id, item);
      const group = groups.get(groupOf(item));
      if (group === undefined) groups.set(groupOf(item), [item]);
      else group.push(item);
    },
    of: (group) => groups.get(group) ?? [],
    values: table.values,
    get size() {
      return table.size;
    },
  };
}
