import * as z from "zod";
import { verifySheetAccess } from "#src/domain/people/leads/sheet-access.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import { sheetUrl } from "./sheet-url-field.ts";

const Access = z
  .object({
    accessible: z.boolean(),
    status: z.enum(["ok", "not_shared", "not_found", "not_a_sheet", "provider_unavailable"]),
    spreadsheet_id: z.string().nullable(),
    title: z.string().nullable(),
    sheets: z.array(
      z.object({
        sheet_id: z.int(),
        title: z.string(),
        row_count: z.int(),
        column_count: z.int(),
      }),
    ),
    headers: z.array(z.string()),
    share_with: z.string().nullable(),
    message: z.string(),
  })
  .openapi("SheetAccess", {
    description:
      "`sheets` are the tabs that a person sees, `row_count` their rows of data without the header, `headers` the first row of the first of them. `share_with` is the address to share a private sheet with.",
  });

export const sheetRoutes: Mount[] = [
  operation({
    method: "post",
    path: "/api/v1/sheets/verify-access",
    id: "verifySheetAccess",
    scope: "sheets:read",
    tag: "Datasets",
    summary: "Check whether a Google sheet can be read, and what is in it",
    description:
      "The URL itself is never fetched. A sheet that cannot be read is an answer too: `status` says why, `message` what to do.",
    envelope: "legacy",
    claims: "effect",
    body: z.object({ sheet_url: sheetUrl }).openapi("SheetAccessCheck"),
    response: Access,
    handler: ({ deps, body }) => verifySheetAccess(deps, body.sheet_url),
  }),
];
