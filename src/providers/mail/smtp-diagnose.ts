import type { Dial } from "./index.ts";
import { SmtpOpenError } from "./smtp-open-error.ts";
import { lineTroubleOf } from "./smtp-line-trouble.ts";
import { dialWithin, openWire, type OpenedWire, type SmtpOpenOptions } from "./smtp-open.ts";
import { reasonOf } from "./smtp-line.ts";
import { createSmtpWire } from "./smtp-wire.ts";

/** How long a second look waits for the connection, and again for the greeting, at most. */
const LOOK_MS = 2_500;

/**
 * `openWire`, and where the runtime's error leaves open whether connection or TLS failed, as workerd's
 * does, a second try: TLS that fails twice over a working connection is for the account's owner to mend.
 */
export async function openDiagnosed(dial: Dial, options: SmtpOpenOptions): Promise<OpenedWire> {
  try {
    return await openWire(dial, options);
  } catch (error) {
    if (!(error instanceof SmtpOpenError) || error.doubt !== "line_or_tls") throw error;
    if (error.stage === "connect") {
      const seen = await look(dial, options, false);
      if (seen === "nobody") throw error;
      if (seen === "smtp") throw speaksPlain(options);
    }
    return openWire(dial, options).catch((again: unknown) => {
      if (again instanceof SmtpOpenError && again.doubt === "line_or_tls")
        throw tlsFails(options, again);
      throw again;
    });
  }
}

/** For an account test: if a silent server waits for TLS, the error that says so; else the same error. */
export async function explainSilence(
  dial: Dial,
  options: SmtpOpenOptions,
  error: SmtpOpenError,
): Promise<SmtpOpenError> {
  if (error.doubt !== "silence" || options.security === "tls") return error;
  const seen = await look(dial, options, true);
  if (seen !== "smtp" && seen !== "bad_certificate") return error;
  const { host, port } = options;
  const message = `${host}:${port} speaks TLS from the first byte: choose the security tls for this port.`;
  return new SmtpOpenError("tls", message, true);
}

type Seen = "nobody" | "silence" | "smtp" | "bad_certificate";

async function look(dial: Dial, options: SmtpOpenOptions, tls: boolean): Promise<Seen> {
  const { host, port, signal } = options;
  try {
    const target = { host, port, tls, startTlsLater: false };
    const duplex = await dialWithin(dial, target, LOOK_MS, signal);
    const wire = createSmtpWire(duplex, signal);
    try {
      await wire.readReply(Math.min(LOOK_MS, options.timeouts?.greeting ?? LOOK_MS));
      return "smtp";
    } catch (error) {
      // A peer that closes at once does not wait for TLS: it is a proxy before a server that is down.
      return reasonOf(error).includes("in time") ? "silence" : "nobody";
    } finally {
      await wire.close();
    }
  } catch (error) {
    const trouble = lineTroubleOf(reasonOf(error));
    return trouble.kind === "tls" && /certificate/.test(trouble.advice)
      ? "bad_certificate"
      : "nobody";
  }
}

function speaksPlain({ host, port }: SmtpOpenOptions): SmtpOpenError {
  const message = `${host}:${port} does not speak TLS from the first byte: choose the security starttls, mostly with port 587.`;
  return new SmtpOpenError("tls", message, true);
}

function tlsFails({ host, port }: SmtpOpenOptions, again: SmtpOpenError): SmtpOpenError {
  const message = `${host}:${port} answers, and TLS with it fails: its certificate is for another name, has expired or is of no public authority, or its TLS is too old. Check the host name, or ask the server's operator. (${again.words})`;
  return new SmtpOpenError("tls", message, true);
}
