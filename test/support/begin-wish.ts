import type { BeginSend } from "#db/engine/index.ts";

/** The wish to begin a send, with a letter that says nothing. */
export const beginWish = (id: string, now: Date, more: Partial<BeginSend> = {}): BeginSend => ({
  id,
  messageId: `<${id}@sender.zz>`,
  subject: "Hello",
  html: "",
  variantLabel: "A",
  templateId: null,
  templateVersion: null,
  senderProfileId: null,
  leaseUntil: new Date(now.getTime() + 660_000),
  ...more,
});
