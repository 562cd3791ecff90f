import * as z from "zod";
import { parseSheetUrl, SHEET_URL_LENGTH } from "#src/domain/people/leads/sheet-url.ts";

/** A Google Sheets URL: what it names, and the text as it was given. */
export const sheetUrl = z
  .string()
  .max(SHEET_URL_LENGTH)
  .transform((given, context) => {
    const url = given.trim();
    const ref = parseSheetUrl(url);
    if (typeof ref !== "string") return { ...ref, url };
    context.addIssue(ref);
    return z.NEVER;
  })
  .openapi({
    type: "string",
    maxLength: SHEET_URL_LENGTH,
    example: "https://docs.google.com/spreadsheets/d/1AbC/edit#gid=0",
  });
