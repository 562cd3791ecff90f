import { randomUUID } from "node:crypto";
import type { Tenant, TestApi } from "../support/api.ts";
import { owe } from "../support/notices.ts";
import { oneOfEach } from "./setting.ts";

/** A workspace that has one of everything that the API makes, and what came of it. */
export async function busyTenant(api: TestApi): Promise<Tenant & { marks: string[] }> {
  const tenant = await api.tenant();
  const ids = await oneOfEach(api, tenant);
  await tenant.call("PUT", "/api/v1/notifications/preferences", { personal_email: "me@own.zz" });
  await tenant.call("POST", "/api/v1/email-verification/dataset/" + ids["dataset_id"]);
  await tenant.call("POST", "/api/v1/payments/purchase-credits", {
    pack_id: "starter",
    success_url: "https://own.zz/paid",
    cancel_url: "https://own.zz/left",
  });
  await owe(api, tenant, ids["campaign_id"]);
  const sendId = randomUUID();
  const event = `insert into email_events (id, workspace_id, campaign_id, send_id, kind, at, link_index, classification, reasons)
    values ($1, $2, $3, $4, 'open', now(), 0, 'human', '{}')`;
  await api.sql.query(event, [randomUUID(), tenant.workspaceId, ids["campaign_id"], sendId]);
  await api.sql.query(event, [randomUUID(), tenant.workspaceId, null, ids["email_id"]]);
  return { ...tenant, marks: [tenant.workspaceId, tenant.userId] };
}
