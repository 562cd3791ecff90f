type Answer = (url: string, init: RequestInit) => Promise<Response>;

/** Of the parts that this process runs, by their origins. */
const parts = new Map<string, Answer>();

const outside = globalThis.fetch;

globalThis.fetch = (input, init = {}) => {
  const part = typeof input === "string" ? parts.get(originOf(input)) : undefined;
  return part === undefined ? outside(input, init) : part(input as string, init);
};

const originOf = (url: string): string => url.split("/", 3).join("/");

/** From now on requests to `origin` from this process are answered in it. Returns what ends that. */
export function answerHere(origin: string, answer: Answer): () => void {
  parts.set(origin, answer);
  return () => parts.delete(origin);
}
