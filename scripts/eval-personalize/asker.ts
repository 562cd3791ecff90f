import type { Asker } from "#src/domain/research/personalization/ask-for-draft.ts";
import { createChatModel } from "#src/providers/model/chat-completions.ts";
import { COMPOSER } from "../stack/model/complete.ts";
import { startModel } from "../stack/model/model.ts";

export interface Endpoint {
  name: string;
  /** The local composer writes the same twice and obeys by name; others are only reported on. */
  isComposer: boolean;
  asker: Asker;
  /** For the attempts: a model that does whatever it is told, where there is one. */
  obedient: Asker;
  close(): Promise<void>;
}

const CALL_MS = 120_000;

export interface Address {
  baseUrl: string;
  model: string;
  key: string | null;
}

/** The endpoint that is named, or a composer of its own. */
export async function openEndpoint(address: Address | null): Promise<Endpoint> {
  if (address !== null) {
    const asker = askerOf(address);
    const close = () => Promise.resolve();
    return { name: address.model, isComposer: false, asker, obedient: asker, close };
  }
  const part = await startModel();
  const { MODEL_BASE_URL, MODEL_API_KEY } = part.env;
  const of = (model: string) => askerOf({ baseUrl: MODEL_BASE_URL!, key: MODEL_API_KEY!, model });
  return {
    name: COMPOSER,
    isComposer: true,
    asker: of(COMPOSER),
    obedient: of(`${COMPOSER}:obedient`),
    close: () => part.close(),
  };
}

/** By the product's own adapter; one call, one attempt. */
function askerOf({ baseUrl, model, key }: Address): Asker {
  const parameters = { temperature: 0.3, maxTokens: 1_500 };
  const settings = { baseUrl, name: model, key, parameters, prices: null };
  const chat = createChatModel(
    { ...settings, jsonMode: "json_schema", tokensField: "max_tokens" },
    fetch,
    { now: () => new Date() },
  );
  return {
    ask: (request) => chat.complete({ ...parameters, ...request }, AbortSignal.timeout(CALL_MS)),
    nowMs: () => Date.now(),
  };
}
