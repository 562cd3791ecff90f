import { readInstant } from "./instants.ts";

/** A row of a hand-written statement as the driver gives it: columns in snake_case, instants and bigints as text. */
export type Row = Record<string, unknown>;

/** How one column is read, and of which type it then is. */
export interface Column<T> {
  /** Absent: the field's own name in snake_case. */
  name?: string;
  read(value: unknown): T;
}

type Columns = Record<string, Column<unknown>>;

/** The row type that described columns give. */
type RowOf<C extends Columns> = {
  [K in keyof C]: C[K] extends Column<infer T> ? T : never;
};

/**
 * The reader of rows with these columns, which is their one declaration: the type of what it reads follows.
 * What a row has besides is left out. `names` are the columns, for the statement's list.
 */
export function rowReader<C extends Columns>(
  columns: C,
): ((row: Row) => RowOf<C>) & { names: readonly string[] } {
  const fields = Object.entries(columns).map(
    ([field, { name = snakeCase(field), read }]) => [field, name, read] as const,
  );
  const read = (row: Row) => {
    const fresh: Row = {};
    for (const [field, name, readOne] of fields) {
      if (row[name] === undefined) throw new Error(`The statement has no column ${name}`);
      fresh[field] = readOne(row[name]);
    }
    return fresh as RowOf<C>;
  };
  return Object.assign(read, { names: fields.map(([, name]) => name) });
}

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Text that is one of a few, or JSON: as the driver gives it. */
export const typed = <T>(): Column<T> => ({ read: (value) => value as T });

export const text = typed<string>();
export const bool = typed<boolean>();
/** Of any width; null is 0. */
export const integer: Column<number> = { read: Number };
export const instant: Column<Date> = { read: readInstant };

export const orNull = <T>({ read }: Column<T>): Column<T | null> => ({
  read: (value) => (value === null ? null : read(value)),
});

/** A row that is a column of another, as JSON. */
export const nested = <T>(read: (row: Row) => T): Column<T> => ({
  read: (value) => read(value as Row),
});

/** A list of rows within the row. */
export const nestedList = <T>(read: (row: Row) => T): Column<T[]> => ({
  read: (value) => (value as Row[]).map(read),
});

/** A column under another name than the field's. */
export const from = <T>(name: string, { read }: Column<T>): Column<T> => ({ name, read });
