import { useEffect, useRef } from "preact/hooks";
import { poll } from "../../../api/poll.ts";
import { usePages } from "../../../api/pages.ts";
import type { WebhookDelivery, WebhookDeliveryState } from "../../../api/schema.ts";
import { useAction } from "../../../api/use.ts";
import { Part } from "../../../parts/load.tsx";
import { Empty, Section } from "../../../parts/page.tsx";
import { ProblemNote } from "../../../parts/problem.tsx";
import { Status, type Tone } from "../../../parts/status.tsx";
import { More, Table } from "../../../parts/table.tsx";
import { Time } from "../../../parts/time.tsx";
import { toast } from "../../../parts/toast.tsx";
import { typeWords } from "../../../pure/event-types.ts";
import { deliveryWords } from "../../../pure/webhook-words.ts";
import { href } from "../../../router.ts";

const STATES: Record<WebhookDeliveryState, [tone: Tone, word: string]> = {
  waiting: ["busy", "waiting"],
  delivered: ["good", "taken"],
  dead: ["bad", "given up"],
};

const FILTERS = [
  ["", "All"],
  ["waiting", "Waiting"],
  ["dead", "Given up"],
  ["delivered", "Taken"],
] as const;

/** What waits is tried again by itself: how it ends is seen so many seconds later at most. */
const EVERY = 5;

/** What did not get through at once, or was sent again. */
export function Deliveries(props: { webhookId: string; state: string | null }) {
  const { webhookId } = props;
  const state = FILTERS.find(([each]) => each === props.state)?.[0] || undefined;
  const deliveries = usePages("listWebhookDeliveries", {
    params: { webhook_id: webhookId },
    ...(state === undefined ? {} : { query: { state } }),
  });
  const reload = useRef(deliveries.reload);
  reload.current = deliveries.reload;
  useEffect(
    () =>
      poll(
        () => EVERY,
        async () => reload.current(),
      ),
    [],
  );
  const redeliver = useAction("redeliverWebhook");
  async function again({ id }: WebhookDelivery): Promise<void> {
    if (await redeliver.run({ params: { webhook_id: webhookId, delivery_id: id } }))
      toast("The event is sent again within seconds.");
  }
  return (
    <Section
      title="Deliveries"
      note="what did not get through at once, or was sent again"
      actions={
        <>
          {FILTERS.map(([value, label]) => (
            <a
              key={label}
              class="btn"
              aria-current={(state ?? "") === value ? "true" : undefined}
              href={href(`/settings/webhooks/${webhookId}`, { state: value })}
            >
              {label}
            </a>
          ))}
        </>
      }
      flush
    >
      {redeliver.problem !== undefined && <ProblemNote problem={redeliver.problem} />}
      <Part of={deliveries} lines={4}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title={state === undefined ? "Every event got through at once." : "None."}>
              {state === undefined
                ? "What a receiver does not take at the first try is listed here, with what it answered, until it is taken or given up."
                : "No delivery is in this state."}
            </Empty>
          ) : (
            <>
              <Table
                caption="Deliveries, the newest first"
                rows={rows}
                keyOf={({ id }) => id}
                columns={[
                  {
                    head: "Event",
                    cell: ({ event_type: type, event_id: id }) => (
                      <>
                        {typeWords(type)}
                        <small>
                          <code>{id}</code>
                        </small>
                      </>
                    ),
                  },
                  {
                    head: "State",
                    cell: (delivery) => {
                      const [tone, word] = STATES[delivery.state];
                      return <Status tone={tone}>{word}</Status>;
                    },
                  },
                  {
                    head: "What came of it",
                    cell: (delivery) => (
                      <div>
                        {deliveryWords(delivery)}
                        {delivery.error !== null && delivery.error !== "" && (
                          <small>
                            <code>{delivery.error}</code>
                          </small>
                        )}
                      </div>
                    ),
                  },
                  {
                    head: "Next try",
                    cell: ({ next_at: at }) => (at === null ? "" : <Time at={at} as="ago" />),
                  },
                  { head: "Since", cell: ({ created_at: at }) => <Time at={at} as="exact" /> },
                  {
                    head: "Actions",
                    isQuiet: true,
                    cell: (delivery) => (
                      <button
                        type="button"
                        class="btn"
                        disabled={redeliver.isRunning}
                        onClick={() => void again(delivery)}
                      >
                        Send again
                        <span class="sr"> {typeWords(delivery.event_type)}</span>
                      </button>
                    ),
                  },
                ]}
              />
              <More of={deliveries} />
            </>
          )
        }
      </Part>
    </Section>
  );
}
