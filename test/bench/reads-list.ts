import { LISTED, type ReadsData, SEARCHED } from "./reads-data.ts";

export interface Read {
  name: string;
  /** Of the n-th request. */
  path(index: number): string;
  /** Whose it is: by turns those of so many workspaces. */
  workspaces?: number[];
  /** In a round. */
  requests: number;
}

export function readsOf({
  campaignIds,
  alone,
  competing,
  leads,
  suppressions,
  bySenders,
  byLeads,
}: ReadsData): Read[] {
  const searched = Array.from({ length: SEARCHED }, (_, index) => index);
  const many = `${suppressions / 1000}k suppressions`;
  const ofLeads = `${leads / 1000}k leads`;
  const campaign = (id: string, what: string) => () => `/api/v1/campaigns/${id}/${what}`;
  return [
    { name: "/health", path: () => "/health", requests: 600 },
    {
      name: "a campaign",
      path: (index) => `/api/v1/campaigns/${campaignIds[index % campaignIds.length]}`,
      requests: 600,
    },
    { name: `a list of ${LISTED}`, path: () => "/api/v1/campaigns/?limit=50", requests: 300 },
    {
      name: `\`?value=\` of ${many}`,
      path: (index) => `/api/v1/suppressions?value=lead${index}@suppressed.zz`,
      workspaces: searched,
      requests: 64,
    },
    {
      name: `\`?q=\` of ${many}`,
      path: (index) => `/api/v1/suppressions?q=ad${index}@`,
      workspaces: searched,
      requests: 64,
    },
    {
      name: `sending status, ${ofLeads}`,
      path: campaign(alone, "sending-status"),
      workspaces: [0],
      requests: 16,
    },
    {
      name: "the same, two campaigns beside it",
      path: campaign(competing, "sending-status"),
      workspaces: [1],
      requests: 16,
    },
    { name: "its forecast", path: campaign(competing, "forecast"), workspaces: [1], requests: 4 },
    ...bySenders.map(({ size, workspace, campaignId }) => ({
      name: `sending status, ${size / 1000}k senders`,
      path: campaign(campaignId, "sending-status"),
      workspaces: [workspace],
      requests: 2,
    })),
    ...byLeads.map(({ size, workspace, campaignId }) => ({
      name: `forecast of one campaign of ${size / 1000}k leads`,
      path: campaign(campaignId, "forecast"),
      workspaces: [workspace],
      requests: 2,
    })),
  ];
}
