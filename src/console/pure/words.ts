/** "2,369" */
export const num = (value: number): string => value.toLocaleString("en-GB");

/** "41 %", of 0.41. */
export const percent = (share: number, digits = 0): string =>
  `${(share * 100).toLocaleString("en-GB", { maximumFractionDigits: digits })} %`;

/** "1 lead", "671 leads" */
export const count = (value: number, one: string, many = `${one}s`): string =>
  `${num(value)} ${value === 1 ? one : many}`;

/** "out_of_office" is "out of office". */
export const words = (code: string): string => code.replaceAll("_", " ").toLowerCase();

export const bytes = (size: number): string =>
  size < 1000
    ? `${size} B`
    : size < 1_000_000
      ? `${Math.round(size / 100) / 10} kB`
      : `${Math.round(size / 100_000) / 10} MB`;
