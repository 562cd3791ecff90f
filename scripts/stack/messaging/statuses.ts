import type { Faults } from "../part.ts";
import type { TelephoneMessage, TelephoneStore } from "./message-store.ts";
import type { StatusCalls } from "./status-calls.ts";

/** The number ends so: it is on no telephone. */
export const NOBODY = /000000$/;

const UNDELIVERABLE = {
  code: 131026,
  title: "Message undeliverable",
  details: "Message Undeliverable.",
};

export interface SenderNumber {
  phoneNumberId: string;
  /** Digits. */
  number: string;
}

/** Moves messages through their statuses, and tells the app's webhook of each. */
export function createStatuses(
  store: TelephoneStore,
  calls: StatusCalls,
  faults: Faults,
  sender: SenderNumber,
) {
  function move(message: TelephoneMessage, status: TelephoneMessage["status"]): TelephoneMessage {
    const failure = status === "failed" ? UNDELIVERABLE : null;
    const moved = { ...message, status, failure };
    store.put(moved);
    return moved;
  }

  return {
    /** The telephone is on: what was taken is there at once, unless its number has no telephone. */
    afterArrival(message: TelephoneMessage): void {
      const fails = faults.take("undeliverable") || NOBODY.test(message.to);
      const isLost = faults.take("status_lost");
      const lateSeconds = faults.take("status_late") ? 60 : 0;
      const times = faults.take("status_twice") ? 2 : 1;
      const told = fails
        ? [move(message, "failed")]
        : [move(message, "sent"), move(message, "delivered")];
      if (isLost) return;
      for (const each of told)
        for (let time = 0; time < times; time++)
          calls.tell(event(each, sender), each.status === "sent" ? lateSeconds : 0);
    },
    /** Its owner looked at it. */
    read(message: TelephoneMessage): TelephoneMessage {
      if (message.status !== "delivered") return message;
      const read = move(message, "read");
      calls.tell(event(read, sender));
      return read;
    },
  };
}

/** https://developers.facebook.com/docs/whatsapp/cloud-api/webhooks/payload-examples#message-status-updates */
function event(message: TelephoneMessage, { phoneNumberId, number }: SenderNumber): object {
  const { id, to, status, reference, failure } = message;
  const { details, ...error } = failure ?? { details: "" };
  const value = {
    messaging_product: "whatsapp",
    metadata: { display_phone_number: number, phone_number_id: phoneNumberId },
    statuses: [
      {
        id,
        status,
        timestamp: String(Math.floor(Date.now() / 1000)),
        recipient_id: to.slice(1),
        ...(reference === null ? {} : { biz_opaque_callback_data: reference }),
        ...(failure === null
          ? { pricing: { billable: true, pricing_model: "PMP", category: "utility" } }
          : { errors: [{ ...error, message: failure.title, error_data: { details } }] }),
      },
    ],
  };
  return {
    object: "whatsapp_business_account",
    entry: [{ id: "100000000000009", changes: [{ value, field: "messages" }] }],
  };
}
