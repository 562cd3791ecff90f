import type { HttpProvider } from "../mail/http-provider.ts";
import type { NetworkFailure } from "#src/providers/network/index.ts";
import { createUnipile, type UnipileSettings } from "#src/providers/network/unipile.ts";
import { type NetworkPart, startNetwork } from "../../../scripts/stack/network/network.ts";
import { API_KEY, ask, credentials, type Reply } from "../stack/network-setting.ts";

export const SECRETS = {
  apiKey: "an-api-key-of-the-tests.bm90IGEga2V5",
  webhookSecret: "a-webhook-secret-of-the-tests",
};

/** What a test can look at besides the answers. */
export interface Noted {
  lines: { event: string; fields: unknown }[];
  troubles: NetworkFailure[];
}

/** The adapter as a deployment has it, at the given place. */
export function unipileAt(baseUrl: string, more: Partial<UnipileSettings> = {}) {
  const noted: Noted = { lines: [], troubles: [] };
  const network = createUnipile({
    fetch: globalThis.fetch,
    baseUrl,
    ...SECRETS,
    log: { info: (event, fields) => void noted.lines.push({ event, fields }) },
    now: () => new Date("2026-11-22T12:00:00Z"),
    noteTrouble: async (failure) => void noted.troubles.push(failure),
    ...more,
  });
  return { ...network, noted };
}

/** The API's own error, as its reference shows it. */
export const problem = (status: number, type: string) => ({
  status,
  type: `errors/${type}`,
  title: "A title",
  detail: "The provider's own words, with secret-of-the-test in them",
  instance: "/api/v1/anything",
});

/** The query of what arrived. */
export const queryOf = ({ requests }: HttpProvider, index = -1) =>
  Object.fromEntries(new URL(requests.at(index)!.target, "http://x").searchParams);

/** The local stack's part, for all tests of a file. */
export interface OpenPart {
  part: NetworkPart;
  call(method: string, path: string, body?: unknown): Promise<Reply>;
  /** Past the adapter; answers the account's id. */
  connect(username?: string): Promise<string>;
  close(): Promise<void>;
}

export async function openPart(): Promise<OpenPart> {
  const part = await startNetwork({ apiKey: API_KEY });
  const call: OpenPart["call"] = (method, path, body) =>
    ask(`${part.url}/api/v1/${path}`, method, body, { "x-api-key": API_KEY });
  return {
    part,
    call,
    async connect(username = "ok@example.zz") {
      return (await call("POST", "accounts", credentials(username))).body.account_id;
    },
    close: () => part.close(),
  };
}
