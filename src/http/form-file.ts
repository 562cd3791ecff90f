import { unprocessable } from "#src/errors.ts";
import { streamCapped } from "./body.ts";
import type { AppContext } from "./context.ts";
import { boundaryOf, type FormPart, readForm } from "./multipart.ts";

/**
 * The bytes of the part named `file` of a form, while they arrive. Parts in
 * `before` are read when they come, which has to be before the file. The end of
 * the file is the end of the whole form: one that was cut short throws.
 */
export async function openFormFile(
  c: AppContext,
  limitBytes: number,
  instead: string,
  before: Record<string, (part: FormPart) => Promise<void>> = {},
): Promise<AsyncGenerator<Uint8Array>> {
  const contentType = c.req.header("content-type") ?? "";
  const form = readForm(streamCapped(c.req.raw, limitBytes), boundaryOf(contentType));
  for (;;) {
    const { done, value: part } = await form.next();
    if (done === true) break;
    if (part.name === "file") return fileOf(part, form, Object.keys(before));
    await before[part.name]?.(part);
  }
  throw unprocessable(
    "VALIDATION_ERROR",
    `The form has no part named file; put the CSV file there, or send ${instead} as JSON.`,
  );
}

async function* fileOf(
  file: FormPart,
  form: AsyncIterable<FormPart>,
  before: string[],
): AsyncGenerator<Uint8Array> {
  yield* file.bytes;
  for await (const { name } of form) {
    if (name === "file")
      throw unprocessable("VALIDATION_ERROR", "The form has two files; import one at a time.");
    if (before.includes(name))
      throw unprocessable(
        "VALIDATION_ERROR",
        `Put ${name} before file: the file is read as it arrives.`,
      );
  }
}
