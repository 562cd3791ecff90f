import { startModel } from "../../scripts/stack/model/model.ts";
import { startNetwork } from "../../scripts/stack/network/network.ts";
import { startSearch } from "../../scripts/stack/search.ts";
import { startWeb } from "../../scripts/stack/web/web.ts";
import { startApi, type TestApi } from "../support/api.ts";

const NETWORK_KEY = "network-key-of-the-tests";

/** The API with everything configured that a deployment may leave out, so that no operation is a 503 for want of it. */
export async function startWholeApi(): Promise<TestApi> {
  const search = await startSearch({ web: { pages: [], people: [] } });
  const model = await startModel();
  const web = await startWeb();
  const network = await startNetwork({ apiKey: NETWORK_KEY });
  const api = await startApi(
    {
      ...search.env,
      ...model.env,
      UNIPILE_API_URL: network.url,
      UNIPILE_API_KEY: NETWORK_KEY,
      VERIFIER_EGRESS: "direct",
      PROBE_INTERVAL_MS: "0",
      // Nobody consents here.
      MAIL_OAUTH_GOOGLE_CLIENT_ID: "google-client",
      MAIL_OAUTH_GOOGLE_CLIENT_SECRET: "google-secret",
      MAIL_OAUTH_MICROSOFT_CLIENT_ID: "microsoft-client",
      MAIL_OAUTH_MICROSOFT_CLIENT_SECRET: "microsoft-secret",
      MAIL_OAUTH_OTHER_CLIENT_ID: "other-client",
      MAIL_OAUTH_OTHER_CLIENT_SECRET: "other-secret",
      MAIL_OAUTH_OTHER_AUTHORIZE_URL: "https://login.overture.test/authorize",
      MAIL_OAUTH_OTHER_TOKEN_URL: "https://login.overture.test/token",
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
