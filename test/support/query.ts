import type pg from "pg";

/** A tag for statements, whose values stand where the statement takes them; it answers their rows. */
export const queryOf =
  (pool: () => pg.Pool) =>
  // Rows as the driver gives them.
  // oxlint-disable-next-line typescript/no-explicit-any
  async (texts: TemplateStringsArray, ...values: unknown[]): Promise<any[]> => {
    const text = texts.reduce((before, part, index) => `${before}$${index}${part}`);
    return (await pool().query(text, values)).rows;
  };
