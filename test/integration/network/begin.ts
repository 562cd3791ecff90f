import {
  insertAccount,
  insertNetworkCampaign,
  type NetworkStep,
  tickNow,
} from "../../support/network.ts";

/** An active campaign for these people, from an account of its own; `id` is its first lead. */
export async function begin(
  steps: readonly NetworkStep[],
  people: (string | null)[],
  given?: Awaited<ReturnType<typeof insertAccount>>,
) {
  const account = given ?? (await insertAccount());
  const rows = await insertNetworkCampaign({ account, steps: [...steps], people });
  return { account, ...rows, id: rows.campaignLeadIds[0]! };
}

/** The same after its first tick. */
export async function begun(...order: Parameters<typeof begin>) {
  const rows = await begin(...order);
  await tickNow();
  return rows;
}
