/** Why something does not send now: a code for programs, words for people, and when it ends by itself if that is known. */
export interface Reason {
  code: string;
  message: string;
  until: Date | null;
}

export const because = (code: string, message: string, until: Date | null = null): Reason => ({
  code,
  message,
  until,
});
