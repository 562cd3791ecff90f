/** More than a chat message has; bounds what a stranger can make the service store. */
const MAX_TEXT = 100_000;

/** Text of a network as Postgres keeps it: whole Unicode without control characters but tab and line breaks. */
export const storable = (text: string): string =>
  text
    .slice(0, MAX_TEXT)
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex -- control characters are what is taken out
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, "");
