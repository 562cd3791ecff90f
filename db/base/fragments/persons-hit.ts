/** Whether a row of `email_events` is a person's, in the words of `countsAsPerson` (src/domain/messages/tracking/classify.ts). */
export const isPersonsHit = (row: string): string =>
  `(${row}.classification = 'human' or (${row}.classification = 'proxy' and not 'apple_privacy_proxy' = any(${row}.reasons)))`;
