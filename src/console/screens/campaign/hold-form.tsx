import { serverNow } from "../../api/clock.ts";
import { Problem } from "../../api/problem.ts";
import { TextField } from "../../parts/fields.tsx";
import { Form, useForm } from "../../parts/form.tsx";
import { longDate } from "../../pure/day-words.ts";
import { dateAt, instantOf, wallAt } from "../../pure/wall-time.ts";

const DAY_MS = 86_400_000;

/** Until when, on the clocks of the campaign's zone, and why. */
export function HoldForm(props: {
  zone: string;
  submit: string;
  onCancel: () => void;
  onHold(hold: { hold_until: string | null; hold_reason: string }): Promise<void>;
}) {
  const { zone, submit, onCancel, onHold } = props;
  const form = useForm("hold", { until: "", reason: "" });
  const until = form.values.value.until;
  const found = until === "" ? null : instantOf(until, zone);
  return (
    <Form
      form={form}
      submit={submit}
      onCancel={onCancel}
      onSend={async (values) => {
        if (values.until !== "" && found === null)
          throw new Problem(0, "NO_TIME", "This is no time.", {
            faults: [{ at: "hold_until", message: "Give a date and a time, or nothing." }],
          });
        await onHold({
          hold_until: found === null ? null : new Date(found.at).toISOString(),
          hold_reason: values.reason.trim() === "" ? "held by hand" : values.reason,
        });
      }}
    >
      <TextField
        form={form}
        name="until"
        at="hold_until"
        label="Until"
        type="datetime-local"
        min={wallAt(serverNow(), zone).slice(0, 16)}
        hint={hintOf(found, zone)}
      />
      <p class="row">
        {[1, 3, 7, 30].map((days) => (
          <button
            key={days}
            type="button"
            class="btn"
            onClick={() => form.set("until", `${dateAt(serverNow() + days * DAY_MS, zone)}T09:00`)}
          >
            {days === 1 ? "Tomorrow" : `${days} days`}
          </button>
        ))}
      </p>
      <TextField
        form={form}
        name="reason"
        at="hold_reason"
        label="Why"
        maxLength={500}
        placeholder="held by hand"
      />
    </Form>
  );
}

function hintOf(found: ReturnType<typeof instantOf>, zone: string): string {
  if (found === null) return `A time of ${zone}. Without one they wait until they are released.`;
  const shown = wallAt(found.at, zone);
  const day = longDate(shown.slice(0, 10));
  if (found.kind === "never")
    return `The clocks of ${zone} jump over this time; ${day}, ${shown.slice(11, 16)} is taken.`;
  if (found.kind === "twice")
    return `The clocks of ${zone} show this time twice; the first is taken.`;
  return `${day}, ${shown.slice(11, 16)} in ${zone}.`;
}
