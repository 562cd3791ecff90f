/** A Postgres array literal, as one parameter: `${textArray(values)}::text[]`. */
export const textArray = (values: readonly string[]): string =>
  `{${values.map((value) => `"${value.replace(/["\\]/g, "\\$&")}"`).join(",")}}`;
