import "./openapi/annotate.ts";
import * as z from "zod";

/** A parameter of version 2 that is a list of these names, separated by commas; any other is a 422 that says which there are. */
export const namesParameter = (
  names: readonly string[],
  verb: string,
  description: string,
  most: number,
) =>
  z
    .string()
    .max(most)
    .transform((text, context) => {
      const asked = text.split(",");
      const unknown = asked.find((name) => !names.includes(name));
      if (unknown === undefined) return new Set(asked);
      context.addIssue(
        `${JSON.stringify(unknown)} cannot be ${verb}; there is ${names.join(", ")}, separated by commas.`,
      );
      return z.NEVER;
    })
    .optional()
    .openapi({ type: "string", maxLength: most, description });
