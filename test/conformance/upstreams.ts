import { startNetwork } from "../../scripts/stack/network/network.ts";
import { startModel } from "../../scripts/stack/model/model.ts";
import { startSearch } from "../../scripts/stack/search.ts";
import { startWeb } from "../../scripts/stack/web/web.ts";
import { startApi, type TestApi } from "../support/api.ts";

/** The API with everything configured that a deployment may leave out, so that no operation is a 503 for want of it. */
export async function startWholeApi(): Promise<TestApi> {
  const search = await startSearch({ web: { pages: [], people: [] } });
  const model = await startModel();
  const web = await startWeb();
  const apiKey = "an-api-key-of-the-tests";
  const network = await startNetwork({ apiKey });
  const api = await startApi(
    {
      ...search.env,
      ...model.env,
      VERIFIER_EGRESS: "direct",
      PROBE_INTERVAL_MS: "0",
      UNIPILE_API_URL: network.url,
      UNIPILE_API_KEY: apiKey,
      // What it mails is of no interest here, and nobody listens.
      SYSTEM_MAIL_FROM: "notices@overture.test",
      SYSTEM_MAIL_URL: "smtp://127.0.0.1:9?security=none",
    },
    { web },
  );
  return {
    ...api,
    async close() {
      await api.close();
      await Promise.all([search.close(), model.close(), web.close(), network.close()]);
    },
  };
}
