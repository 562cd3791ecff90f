import type { ChatBody } from "./request.ts";

/** About what tokenizers make of European text: short words are one token, longer ones a piece each five letters. */
export function countTokens(text: string): number {
  let count = 0;
  for (const [piece] of text.matchAll(/[\p{L}\p{M}]+|\d{1,3}|[^\s\p{L}\p{M}\d]/gu))
    count += Math.max(1, Math.ceil((piece.length - 2) / 5));
  return count;
}

/** Each message has a frame of four tokens, and the answer's begins with three. */
export const countPrompt = (messages: ChatBody["messages"]): number =>
  messages.reduce((sum, { content }) => sum + 4 + countTokens(content), 3);

/** As much of the text as so many tokens are. */
export function cutToTokens(text: string, limit: number): string {
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (countTokens(text.slice(0, middle)) <= limit) low = middle;
    else high = middle - 1;
  }
  return text.slice(0, low);
}
