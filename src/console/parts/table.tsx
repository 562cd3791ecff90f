import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { Pages } from "../api/pages.ts";

export interface Column<Row> {
  head: string;
  cell(row: Row): ComponentChildren;
  /** Of buttons: the head is for who does not see them. */
  isQuiet?: boolean;
  /** Figures, which stand to the right. */
  isNumber?: boolean;
  /** Makes the column sortable: what to compare. For lists that are here as a whole. */
  sortBy?(row: Row): string | number | null;
  /** The column that names the row; the first, unless one says so. */
  isHead?: boolean;
}

/** Rows under heads. The caption is for who does not see the heading above. */
export function Table<Row>(props: {
  caption: string;
  rows: readonly Row[];
  keyOf(row: Row): string;
  columns: Column<Row>[];
  /** Where a row leads: its first cell becomes a link. */
  hrefOf?(row: Row): string;
}) {
  const { caption, rows, keyOf, columns, hrefOf } = props;
  const order = useSignal<{ index: number; isDown: boolean } | null>(null);
  const headIndex = Math.max(
    0,
    columns.findIndex(({ isHead }) => isHead === true),
  );
  const sorted =
    order.value === null ? rows : sort(rows, columns[order.value.index]!, order.value.isDown);
  const turn = (index: number) => {
    const isDown = order.value?.index === index && !order.value.isDown;
    order.value = { index, isDown };
  };
  return (
    <div class="table-scroll" role="region" aria-label={caption} tabIndex={0}>
      {/* Roles, since narrow screens lay rows out as blocks, which would take them away. */}
      <table role="table">
        <caption class="sr">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ head, isQuiet, isNumber, sortBy }, index) => (
              <th
                key={head}
                scope="col"
                role="columnheader"
                class={isNumber === true ? "num" : undefined}
                aria-sort={
                  order.value?.index === index
                    ? order.value.isDown
                      ? "descending"
                      : "ascending"
                    : undefined
                }
              >
                {sortBy === undefined ? (
                  <span class={isQuiet === true ? "sr" : undefined}>{head}</span>
                ) : (
                  <button type="button" class="sort" onClick={() => turn(index)}>
                    {head}
                  </button>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {sorted.map((row) => (
            <tr key={keyOf(row)} role="row">
              {columns.map((column, index) => {
                const content = column.cell(row);
                const shown =
                  index === headIndex && hrefOf !== undefined ? (
                    <a href={hrefOf(row)}>{content}</a>
                  ) : (
                    content
                  );
                const style = column.isNumber === true ? "num" : undefined;
                return index === headIndex ? (
                  <th key={column.head} scope="row" role="rowheader" class={style}>
                    {shown}
                  </th>
                ) : (
                  <td
                    key={column.head}
                    role="cell"
                    data-head={column.isQuiet === true ? undefined : column.head}
                    class={style}
                  >
                    {shown}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function sort<Row>(rows: readonly Row[], { sortBy }: Column<Row>, isDown: boolean): readonly Row[] {
  if (sortBy === undefined) return rows;
  const compared = rows.toSorted((a, b) => {
    const [left, right] = [sortBy(a), sortBy(b)];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return typeof left === "number" && typeof right === "number"
      ? left - right
      : String(left).localeCompare(String(right));
  });
  return isDown ? compared.toReversed() : compared;
}

/** Under a table: the next page of what `usePages` or `useFeed` reads. */
export function More(props: {
  of: Pick<Pages<unknown>, "hasMore" | "isLoading" | "more">;
  label?: string;
}) {
  const { of, label = "Show more" } = props;
  if (!of.hasMore) return null;
  return (
    <p class="more">
      <button type="button" class="btn" disabled={of.isLoading} onClick={() => of.more()}>
        {of.isLoading ? "Loading" : label}
      </button>
    </p>
  );
}
