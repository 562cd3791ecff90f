import { badRequest, unprocessable } from "#src/errors.ts";
import { streamCapped, tooLarge } from "./body.ts";
import type { AppContext } from "./context.ts";
import { boundaryOf, type FormPart, readForm } from "./multipart.ts";

/** More than any field of a form may have; what is longer is cut there, and so refused by the field's own bound. */
const TEXT_BYTES = 64 * 1024;

export interface FormSpec {
  limitBytes: number;
  texts: readonly string[];
  file: { name: string; limitBytes: number };
}

/**
 * A form's fields by name, with the bytes of its one file; what is not asked for is passed over, and what a browser
 * sends for a field that was left empty is absent. Throws 413 as soon as the form or the file is too large, 400 where
 * it is no form, or a text not UTF-8, and 422 for a field that is there twice.
 */
export async function readFormFields(
  c: AppContext,
  { limitBytes, texts, file }: FormSpec,
): Promise<Record<string, string | Uint8Array<ArrayBuffer>>> {
  const boundary = boundaryOf(c.req.header("content-type") ?? "");
  const fields = new Map<string, string | Uint8Array<ArrayBuffer>>();
  for await (const part of readForm(streamCapped(c.req.raw, limitBytes), boundary)) {
    const isFile = part.name === file.name;
    if (!isFile && !texts.includes(part.name)) continue;
    const value = isFile ? await readFile(part, file.limitBytes) : await readText(part);
    if (value === null) continue;
    if (fields.has(part.name))
      throw unprocessable("VALIDATION_ERROR", `The form has ${part.name} twice.`);
    fields.set(part.name, value);
  }
  return Object.fromEntries(fields);
}

/** Null for an input of files in which none was chosen. */
async function readFile(
  { bytes, filename }: FormPart,
  limit: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of bytes) {
    size += piece.length;
    if (size > limit) throw tooLarge(limit, "file");
    pieces.push(piece);
  }
  return size === 0 && (filename ?? "") === "" ? null : joined(pieces, size);
}

async function readText({ bytes, name }: FormPart): Promise<string | null> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of bytes) {
    if (size < TEXT_BYTES) pieces.push(piece.subarray(0, TEXT_BYTES - size));
    size += piece.length;
  }
  const whole = joined(pieces, Math.min(size, TEXT_BYTES));
  try {
    // The last character of what was cut may be cut itself.
    const isCut = size > TEXT_BYTES;
    return (
      new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(whole, {
        stream: isCut,
      }) || null
    );
  } catch {
    throw badRequest("BAD_REQUEST", `The form's ${name} is not valid UTF-8.`);
  }
}

function joined(pieces: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
