import { z } from "zod";
import { NETWORK_WEBHOOK } from "#src/domain/network/register-webhooks.ts";
import { systemClock } from "#src/platform/system.ts";
import { createChatModel } from "#src/providers/model/chat-completions.ts";
import { createGoogleCall } from "#src/providers/sheets/google-call.ts";
import { createGoogleTokens } from "#src/providers/sheets/google-token.ts";
import { answerOf, type Check, type Context, wordsOf } from "./context.ts";
import { fail, off, ok, type Said, warn } from "./finding.ts";
import { whereToFind } from "./where.ts";

const Webhooks = z.object({
  items: z.array(
    z.object({
      request_url: z.string(),
      enabled: z.boolean().default(true),
      headers: z.array(z.object({ key: z.string(), value: z.string() })).default([]),
    }),
  ),
});
const WEBHOOKS = 3;

export const network: Check = {
  part: "network",
  async run({ config, ask }) {
    if (config.network === null)
      return [off("UNIPILE_API_URL is not set: no accounts of the network can be connected")];
    const { baseUrl, apiKey, webhookSecret } = config.network;
    const reply = await ask(`${baseUrl}/api/v1/webhooks?limit=250`, {
      headers: { "x-api-key": apiKey },
    });
    if (reply.status === 401)
      return [fail("UNIPILE_API_KEY is refused", whereToFind("UNIPILE_API_KEY"))];
    const { success, data } = Webhooks.safeParse(reply.json);
    if (!success)
      return [
        fail(
          `UNIPILE_API_URL ${answerOf(reply)}: it is not Unipile`,
          whereToFind("UNIPILE_API_URL"),
        ),
      ];
    if (webhookSecret === null)
      return [
        warn(
          "UNIPILE_WEBHOOK_SECRET is not set: answers stop nobody, acceptances are learnt hours late",
          whereToFind("UNIPILE_WEBHOOK_SECRET"),
        ),
      ];
    const ours = data.items.filter(
      ({ request_url: url, enabled, headers }) =>
        url === config.publicBaseUrl + NETWORK_WEBHOOK &&
        enabled &&
        headers.some(({ value }) => value === webhookSecret),
    );
    return [
      ours.length >= WEBHOOKS
        ? ok("its webhooks call us")
        : warn(
            `${ours.length} of its ${WEBHOOKS} webhooks call us with this secret`,
            "The Worker makes them itself within a quarter of an hour of a deployment.",
          ),
    ];
  },
};

const PING = {
  messages: [{ role: "user" as const, content: 'Answer with {"ok": true}.' }],
  schema: {
    name: "ping",
    schema: {
      type: "object",
      properties: { ok: { type: "boolean" } },
      required: ["ok"],
      additionalProperties: false,
    },
  },
};
const MODEL_MS = 30_000;

/** One short question, which costs what it costs: nothing else tells that key, name and fields are right. */
export const model: Check = {
  part: "model",
  async run({ config }) {
    if (config.model === null)
      return [off("MODEL_BASE_URL is not set: personalization answers 503")];
    const asked = createChatModel(config.model, fetch, systemClock);
    const answer = await asked.complete(
      { ...PING, ...asked.parameters },
      AbortSignal.timeout(MODEL_MS),
    );
    return answer.kind === "answered"
      ? [ok(`${answer.model} answers`)]
      : [
          fail(
            `the model of MODEL_BASE_URL fails: ${answer.reason}, ${answer.detail}`,
            answer.reason === "refused"
              ? "MODEL_API_KEY, MODEL_NAME, or a field that this model refuses: docs/deploying.md, Personalization"
              : "docs/deploying.md, Personalization",
          ),
        ];
  },
};

export const sheets: Check = {
  part: "sheets",
  async run({ config: { google } }: Context): Promise<Said[]> {
    if (google.account === null)
      return [off("GOOGLE_SERVICE_ACCOUNT_EMAIL is not set: only public sheets are read")];
    const tokens = createGoogleTokens({
      account: google.account,
      tokenUrl: google.tokenUrl,
      call: createGoogleCall(fetch, systemClock),
      clock: systemClock,
    });
    try {
      await tokens.get();
      return [ok(`Google takes the key of ${google.account.email}`)];
    } catch (error) {
      return [
        fail(
          `Google refuses the service account: ${wordsOf(error)}`,
          "docs/deploying.md, Google sheets: client_email and private_key belong to one JSON key",
        ),
      ];
    }
  },
};

export const search: Check = {
  part: "search",
  async run({ config: { searchEngines } }) {
    return searchEngines.length === 0
      ? [off("SEARCH_ENGINES is not set: no profiles are found, and drafts know websites alone")]
      : [
          ok(
            `${searchEngines.map(({ name }) => name).join(", ")}; not asked, each search is paid for`,
          ),
        ];
  },
};
