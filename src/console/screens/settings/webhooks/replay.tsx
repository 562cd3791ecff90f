import { useWrite } from "../../../api/use.ts";
import { TextField } from "../../../parts/fields.tsx";
import { Form, useForm } from "../../../parts/form.tsx";
import { toast } from "../../../parts/toast.tsx";
import { count } from "../../../pure/words.ts";

/** A time of this machine's zone, as a field of the browser has it, with its offset. */
const instantOf = (local: string): string => {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? local : at.toISOString();
};

/** What a stretch of time had, once more: for a receiver that lost it. */
export function Replay({ webhookId, onDone }: { webhookId: string; onDone(): void }) {
  const replay = useWrite("replayWebhook");
  const form = useForm(`replay ${webhookId}`, { since: "", until: "" });
  return (
    <Form
      form={form}
      submit="Send it again"
      onCancel={onDone}
      onSend={async ({ since, until }) => {
        const { events } = await replay({
          params: { webhook_id: webhookId },
          body: {
            since: instantOf(since),
            ...(until === "" ? {} : { until: instantOf(until) }),
          },
        });
        form.discard();
        toast(
          events === 0
            ? "Nothing happened in that time that it is sent."
            : `${count(events, "event")} will be sent again.`,
        );
        onDone();
      }}
    >
      <p>
        Each event of the time is sent once more, under the id it had. Those that wait for another
        try already are left alone.
      </p>
      <TextField form={form} name="since" label="From" type="datetime-local" />
      <TextField
        form={form}
        name="until"
        label="To"
        type="datetime-local"
        hint="Empty: until now."
      />
    </Form>
  );
}
