/** Where a command says what it has to say: the process, or a test. */
export interface Terminal {
  out(line: string): void;
  /** For people, beside what is read by programs. */
  note(line: string): void;
  /** One line that is typed; null where there is no terminal. */
  ask(question: string): Promise<string | null>;
  /** All that is piped in; "" where nothing is. */
  input(): Promise<string>;
}

const CONTROL = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** What came from elsewhere, as one line that moves no cursor and turns no text around. */
export const plain = (text: unknown): string =>
  String(text).replaceAll(
    CONTROL,
    (mark) => `\\u${mark.codePointAt(0)!.toString(16).padStart(4, "0")}`,
  );

export function processTerminal(): Terminal {
  // The reading end of a pipe may have enough: `overture events | head`.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit();
  });
  return {
    out: (line) => void process.stdout.write(`${line}\n`),
    note: (line) => void process.stderr.write(`${line}\n`),
    async ask(question) {
      if (!process.stdin.isTTY) return null;
      const { createInterface } = await import("node:readline/promises");
      const lines = createInterface({ input: process.stdin, output: process.stderr });
      try {
        return await lines.question(question);
      } finally {
        lines.close();
      }
    },
    async input() {
      if (process.stdin.isTTY) return "";
      const { text } = await import("node:stream/consumers");
      return text(process.stdin);
    },
  };
}
