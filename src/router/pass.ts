import { readCapped } from "#src/http/body.ts";
import { createHold } from "#src/platform/large-bodies.ts";
import type { Cell } from "./cells.ts";

/** Longer than any operation takes until its answer begins. */
export const LONGEST_ANSWER_MS = 100_000;
/** What is not larger is kept while it is passed on, so that it can be sent again. */
const KEPT_BYTES = 1024 * 1024;
const LARGEST_BYTES = 64 * 1024 * 1024;

type Bytes = Uint8Array<ArrayBuffer>;

/** A request with what is needed to send it once, or again. */
export interface Order {
  request: Request;
  /** The body, where it is kept; null where there is none. */
  body: Bytes | null;
  /** A large body goes through as it comes, once. */
  isStreamed: boolean;
  /** In the place of the request's own. */
  headers?: Headers;
}

const LENGTH = /^\d{1,15}$/;

/** Keeps a small body. One that says no length is taken for large. */
export async function orderOf(request: Request): Promise<Order> {
  if (request.body === null) return { request, body: null, isStreamed: false };
  const length = request.headers.get("content-length") ?? "";
  if (!LENGTH.test(length) || Number(length) > KEPT_BYTES)
    return { request, body: null, isStreamed: true };
  return { request, body: await readWhole(request, KEPT_BYTES), isStreamed: false };
}

/** Keeps the whole body, however large, for as long as the work takes. */
export async function withWhole<Result>(
  request: Request,
  work: (order: Order) => Promise<Result>,
): Promise<Result> {
  if (request.body === null) return work({ request, body: null, isStreamed: false });
  const hold = createHold();
  try {
    const body = await readWhole(request, LARGEST_BYTES, hold);
    return await work({ request, body, isStreamed: false });
  } finally {
    hold.release();
  }
}

/** Compressed or not: what it is, its cell says. */
function readWhole(request: Request, limit: number, hold?: ReturnType<typeof createHold>) {
  const headers = new Headers(request.headers);
  headers.delete("content-encoding");
  const plain = new Request(request.url, {
    ...{ method: request.method, headers, body: request.body },
    ...{ duplex: "half" },
  });
  return readCapped(plain, limit, hold);
}

/** The cell's answer as it comes; undefined where it does not answer, or not in time. */
export async function pass(
  cell: Cell,
  { request, body, headers: given }: Order,
  ms = LONGEST_ANSWER_MS,
): Promise<Response | undefined> {
  const headers = new Headers(given ?? request.headers);
  const { cf } = request as Request & { cf?: { clientIp?: string } };
  // Where no Cloudflare stands before the router it is the first to see the caller's address.
  if (!headers.has("cf-connecting-ip") && cf?.clientIp !== undefined)
    headers.set("cf-connecting-ip", cf.clientIp.replace(/:\d+$/, ""));
  const sent = new Request(request, {
    headers,
    redirect: "manual",
    ...(body === null ? {} : { body }),
  });
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), ms);
  try {
    return await Promise.race([cell.fetch(sent), late.promise]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
