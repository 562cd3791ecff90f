import { useEffect } from "preact/hooks";
import { invalidate } from "../../api/cache.ts";
import { useQuery } from "../../api/use.ts";
import { num } from "../../pure/words.ts";
import { setQuery } from "../../router.ts";

const LOOK_EVERY_S = 2;
/** Entries among which the purchase is looked for: it is the newest, but for work that goes on. */
const LOOKED_AT = 200;

/** Back from the page on which one pays: the credits are there when the provider says so, often seconds later. */
export function CameBack(props: { session: string | null; isCancelled: boolean }) {
  const { session, isCancelled } = props;
  if (session !== null) return <Paid session={session} />;
  if (!isCancelled) return null;
  return (
    <p class="note" role="status">
      Nothing was bought, and nothing is charged. <Dismiss />
    </p>
  );
}

function Paid({ session }: { session: string }) {
  const ledger = useQuery(
    "listCreditEntries",
    { query: { limit: LOOKED_AT } },
    { every: (data) => (entryOf(data?.items, session) === undefined ? LOOK_EVERY_S : null) },
  );
  const entry = entryOf(ledger.data?.items, session);
  const isThere = entry !== undefined;
  useEffect(() => {
    if (isThere) invalidate();
  }, [isThere]);
  return (
    <p class="note" role="status">
      {entry === undefined ? (
        <>
          <b>Waiting for your payment.</b> The credits are added as soon as the payment provider
          says that it is paid; this page need not stay open.
        </>
      ) : (
        <>
          <b>{num(entry.available_delta - entry.owed_delta)} credits were added.</b> Thank you.
        </>
      )}{" "}
      <Dismiss />
    </p>
  );
}

const entryOf = <Entry extends { kind: string; ref_id: string }>(
  entries: readonly Entry[] | undefined,
  session: string,
): Entry | undefined =>
  entries?.find(({ kind, ref_id: ref }) => kind === "grant" && ref === session);

function Dismiss() {
  return (
    <button type="button" class="link" onClick={() => setQuery({ session: null, cancelled: null })}>
      Dismiss
    </button>
  );
}
