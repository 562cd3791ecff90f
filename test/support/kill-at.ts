import { neonConfig } from "@neondatabase/serverless";

type Around = (statement: string, call: () => Promise<Response>) => Promise<Response>;

/** Stands between this process and its database: `around` makes each call, and sees its statement. Ended by `leave`. */
export function standBefore(around: Around): { leave(): void } {
  const inner = neonConfig.fetchFunction as typeof fetch;
  neonConfig.fetchFunction = (url: string, init: RequestInit) =>
    around(String(init.body), () => inner(url, init));
  return {
    leave: () => {
      neonConfig.fetchFunction = inner;
    },
  };
}

interface Kill {
  statement: RegExp;
  side: "before" | "after";
}

/**
 * The worker dies in this call at that statement, as far as others can see: it gets no answer from the database, which
 * has not even heard of it on the side `before`. Resolves when it is dead.
 */
export async function killDuring(
  { statement, side }: Kill,
  call: () => Promise<unknown>,
): Promise<void> {
  let struck = () => {};
  const dead = new Promise<void>((resolve) => (struck = resolve));
  let isOver = false;
  const { leave } = standBefore(async (text, ask) => {
    if (isOver || !statement.test(text)) return ask();
    isOver = true;
    if (side === "after") await ask();
    struck();
    return new Promise<never>(() => {});
  });
  const answered = call().then((reply) => {
    throw new Error(`It did not come to that statement, and answered ${JSON.stringify(reply)}.`);
  });
  await Promise.race([dead, answered]).finally(leave);
}
