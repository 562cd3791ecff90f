import * as z from "zod";
import type { GoogleSettings } from "../providers/sheets/google.ts";
import { together, url } from "./fields.ts";

export const sheetVariables = {
  GOOGLE_SERVICE_ACCOUNT_EMAIL: z.email().optional(),
  GOOGLE_SERVICE_ACCOUNT_KEY: z
    .string()
    .transform((text) => text.replaceAll("\\n", "\n").replaceAll("\r", "").trim())
    .refine(
      (pem) => /^-----BEGIN PRIVATE KEY-----\n[^-]+-----END PRIVATE KEY-----$/.test(pem),
      "must be the PEM text of a PKCS #8 key (the file's private_key)",
    )
    .optional(),
  GOOGLE_TOKEN_URL: url.default("https://oauth2.googleapis.com/token"),
  GOOGLE_SHEETS_BASE: url.default("https://sheets.googleapis.com"),
  GOOGLE_EXPORT_BASE: url.default("https://docs.google.com"),
};
export const sheetChecks = [together("GOOGLE_SERVICE_ACCOUNT_EMAIL", "GOOGLE_SERVICE_ACCOUNT_KEY")];
const variables = z.object(sheetVariables);

export interface SheetConfig {
  google: GoogleSettings;
}

export const readSheets = (env: z.output<typeof variables>): SheetConfig => ({
  google: {
    account:
      env.GOOGLE_SERVICE_ACCOUNT_EMAIL === undefined
        ? null
        : {
            email: env.GOOGLE_SERVICE_ACCOUNT_EMAIL,
            privateKey: env.GOOGLE_SERVICE_ACCOUNT_KEY!,
          },
    tokenUrl: env.GOOGLE_TOKEN_URL,
    sheetsBase: env.GOOGLE_SHEETS_BASE,
    exportBase: env.GOOGLE_EXPORT_BASE,
  },
});
