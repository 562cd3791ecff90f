import { SCOPES } from "#src/domain/access/scopes.ts";
import { PAID_CALLS, type PaidCall } from "#src/domain/billing/wallet/prices.ts";
import { issuerDocument, resourceOf } from "#src/domain/billing/wallet/receipts.ts";
import { notFound } from "#src/errors.ts";
import type { App, AppContext } from "#src/http/context.ts";
import { isSold } from "./tool.ts";

export const MCP_PATH = "/mcp";
/** RFC 9728 section 3.1: the well-known part stands before the resource's own path. */
const METADATA = "/.well-known/oauth-protected-resource";

const baseOf = (c: AppContext): string => c.get("deps").settings.publicBaseUrl;

export const resourceUrl = (c: AppContext): string => baseOf(c) + MCP_PATH;
export const metadataUrl = (c: AppContext): string => baseOf(c) + METADATA + MCP_PATH;

/** What programs look for to find out what is here. */
export function mountDiscovery(app: App): void {
  for (const path of [METADATA, METADATA + MCP_PATH]) app.get(path, (c) => c.json(metadataOf(c)));
  app.get("/.well-known/x402", (c) => c.json(salesOf(c)));
  app.get("/.well-known/did.json", async (c) => c.json(await issuerOf(c)));
}

/** What is protected and how to show a credential (RFC 9728 section 2). */
function metadataOf(c: AppContext) {
  const { authorizationServers } = c.get("deps").settings;
  return {
    resource: resourceUrl(c),
    resource_name: "Overture",
    resource_documentation: `${baseOf(c)}/llms.txt`,
    bearer_methods_supported: ["header"],
    scopes_supported: Object.keys(SCOPES),
    ...(authorizationServers.length === 0 ? {} : { authorization_servers: authorizationServers }),
  };
}

/** What catalogues of paid calls read (x402scan's discovery document); each address tells its own price by 402. */
function salesOf(c: AppContext) {
  if (!isSold(c.get("deps"))) throw notFound("Paid calls");
  const calls = Object.keys(PAID_CALLS) as PaidCall[];
  const resources = calls.map((call) => resourceOf(c.get("deps"), call));
  return { version: 1, resources };
}

/** Whose signature a receipt of a paid call has (did:web). */
async function issuerOf(c: AppContext) {
  if (!isSold(c.get("deps"))) throw notFound("Paid calls");
  return issuerDocument(c.get("deps"));
}
