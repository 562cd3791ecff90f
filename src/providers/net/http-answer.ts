import { readJson } from "#src/platform/json.ts";
import type { HttpAnswer } from "./http-call.ts";

/**
 * How Cloudflare, which stands between a Worker and the provider, says that it did not reach it:
 * refused, no route, TLS, certificate, DNS. 520, 522 and 524 may come after the request arrived.
 * https://developers.cloudflare.com/support/troubleshooting/http-status-codes/cloudflare-5xx-errors/
 */
export const NOT_REACHED = [521, 523, 525, 526, 530];

export const wasReached = ({ status }: HttpAnswer): boolean => !NOT_REACHED.includes(status);

export const isSuccess = ({ status }: HttpAnswer): boolean => status >= 200 && status < 300;

/** JSON of an answer; undefined when it is none. */
export const jsonOf = ({ text }: HttpAnswer): unknown => readJson(text);
