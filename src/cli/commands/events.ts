import { type Command, readArgs } from "../command.ts";
import { follow, untilStopped } from "../follow.ts";
import { forwarderTo, newSecret } from "../forward.ts";
import { EXIT } from "../refusal.ts";
import { openClient } from "../settings.ts";
import { tellEvent } from "./watch.ts";

export const events: Command = {
  usage: "events [--types T,T] [--after CURSOR] [--follow [--for SECONDS]] [--forward URL]",
  about: "what happens, and as signed webhooks to an address of this machine: no tunnel is needed",
  async run(args, terminal) {
    const options = {
      types: { type: "string" },
      after: { type: "string" },
      for: { type: "string" },
      forward: { type: "string" },
      follow: { type: "boolean", default: false },
    } as const;
    const { values } = readArgs(args, options);
    const secret = process.env["OVERTURE_WEBHOOK_SECRET"] ?? newSecret();
    const forward = values.forward === undefined ? null : forwarderTo(values.forward, secret);
    if (forward !== null && process.env["OVERTURE_WEBHOOK_SECRET"] === undefined)
      terminal.note(`They are signed by ${secret}`);
    const signal = untilStopped(values.for);
    const from = {
      // `--follow` shows what comes; a page of the past is asked for without it.
      after: values.after ?? (values.follow ? "now" : undefined),
      query: values.types === undefined ? {} : { types: values.types },
      isFollowing: values.follow,
      signal,
    };
    try {
      for await (const event of follow(openClient(), from)) {
        terminal.out(values.json ? JSON.stringify(event) : tellEvent(event));
        if (forward !== null)
          terminal.note(`  ${values.forward} says ${await forward(event, signal)}`);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    return EXIT.same;
  },
};
