import type { Deps, Principal } from "#src/deps.ts";
import { badRequest } from "#src/errors.ts";
import { fromBase64, toBase64Url } from "#src/platform/encoding.ts";
import type { CampaignStatus } from "#db/schema/index.ts";
import type { CampaignConfig } from "../config.ts";

/** All that an apply needs to know of a plan, which is stored nowhere else. */
export interface Planned {
  campaignId: string | null;
  /** Of the campaign as the plan found it. */
  configVersion: number | null;
  status: CampaignStatus | null;
  /** The recipients that a launch would have reached; null of a campaign that was launched. */
  leads: number | null;
  config: CampaignConfig & { externalId: string };
  expiresAt: Date;
}

const contextOf = ({ workspaceId }: Principal) => `campaign plan of ${workspaceId}`;

/** What comes out of a stream that packs or unpacks. */
const through = (
  from: Response,
  packing: CompressionStream | DecompressionStream,
): Promise<ArrayBuffer> => new Response(from.body!.pipeThrough(packing)).arrayBuffer();

/** Sealed for the workspace, and packed: a plan holds the campaign's texts. */
export async function sealPlan(
  { vault }: Deps,
  principal: Principal,
  planned: Planned,
): Promise<string> {
  const plain = new Response(JSON.stringify(planned));
  const packed = await through(plain, new CompressionStream("deflate-raw"));
  return vault.seal(toBase64Url(new Uint8Array(packed)), contextOf(principal));
}

/** 400 PLAN_TOKEN_INVALID for what was not sealed for this workspace. */
export async function openPlan(
  { vault }: Deps,
  principal: Principal,
  token: string,
): Promise<Planned> {
  const text = await vault.open(token, contextOf(principal)).catch(() => {
    throw badRequest(
      "PLAN_TOKEN_INVALID",
      "plan_token is none that this workspace was given: take it from POST /campaigns/plan as it is.",
    );
  });
  const bytes = await through(
    new Response(fromBase64(text)),
    new DecompressionStream("deflate-raw"),
  );
  const planned = JSON.parse(new TextDecoder().decode(bytes)) as Planned;
  const { config } = planned;
  const startDate = config.startDate === null ? null : new Date(config.startDate);
  return {
    ...planned,
    config: { ...config, startDate },
    expiresAt: new Date(planned.expiresAt),
  };
}
