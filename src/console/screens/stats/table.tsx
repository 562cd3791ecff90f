import { Meter } from "../../parts/bars.tsx";
import { Table, type Column } from "../../parts/table.tsx";
import { tableRows, type CountName, type Counts, type NamedRow } from "../../pure/stats-rows.ts";
import { num, percent } from "../../pure/words.ts";

/** Of what was sent; of nothing there is no share. */
const share = (part: number, sent: number): string =>
  sent === 0 || part === 0 ? "" : percent(part / sent, 1);

const RATES = ["replied", "opened", "clicked", "bounced", "unsubscribed", "complained"] as const;

export function Rates({ of: sums }: { of: Counts }) {
  return (
    <p class="figures">
      <span>
        <b class="figure">{num(sums.sent)}</b> sent
      </span>
      {RATES.map((name) => (
        <span key={name}>
          <b class="figure">{share(sums[name], sums.sent) || "none"}</b> {name}
          {sums[name] > 0 && ` (${num(sums[name])})`}
        </span>
      ))}
    </p>
  );
}

const columnOf = (
  head: string,
  name: CountName,
  beneath: (row: NamedRow) => string,
): Column<NamedRow> => ({
  head,
  isNumber: true,
  sortBy: (row) => row[name],
  cell: (row) => (
    <div>
      {row[name] === 0 ? <span class="dim">0</span> : num(row[name])}
      {beneath(row) !== "" && <small>{beneath(row)}</small>}
    </div>
  ),
});
const shareOf = (name: CountName) => (row: NamedRow) => share(row[name], row.sent);
const join = (...parts: string[]) => parts.filter(Boolean).join(", ");
const besides = (value: number, what: string) => (value === 0 ? "" : `${num(value)} ${what}`);

export function StatsTable(props: { head: string; rows: NamedRow[]; isTime: boolean }) {
  const { head, rows, isTime } = props;
  const most = Math.max(1, ...rows.map(({ sent }) => sent));
  const columns: Column<NamedRow>[] = [
    {
      head,
      cell: (row) => (
        <>
          {row.name}
          {!isTime && <Meter used={row.sent} most={most} />}
        </>
      ),
      sortBy: isTime ? (row) => row.key : (row) => row.name,
    },
    columnOf("Sent", "sent", (row) =>
      row.follow_ups === 0 ? "" : `${num(row.first_messages)} first`,
    ),
    columnOf("Opened", "opened", shareOf("opened")),
    columnOf("Clicked", "clicked", shareOf("clicked")),
    columnOf("Replied", "replied", (row) =>
      join(share(row.replied, row.sent), besides(row.auto_replied, "by machines")),
    ),
    columnOf("Bounced", "bounced", (row) =>
      join(share(row.bounced, row.sent), besides(row.soft_bounced, "for now")),
    ),
    columnOf("Unsubscribed", "unsubscribed", shareOf("unsubscribed")),
    columnOf("Complained", "complained", shareOf("complained")),
  ];
  return (
    <Table
      caption={`Messages, by ${head.toLowerCase()}`}
      rows={tableRows(rows, isTime)}
      keyOf={({ key }) => key}
      columns={columns}
    />
  );
}
