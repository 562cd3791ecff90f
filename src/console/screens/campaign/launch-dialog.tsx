import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Preflight } from "../../api/schema.ts";
import { useAction, useQuery } from "../../api/use.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Part } from "../../parts/load.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { toast } from "../../parts/toast.tsx";
import { launchWords } from "../../pure/launch-words.ts";
import { count, words } from "../../pure/words.ts";
import { AHEAD_DAYS, type Campaign } from "./use-campaign.ts";

type Checks = Preflight["checks"];

/** What a launch looks at, turned over one by one; then its numbers on the button. */
export function LaunchDialog(props: { campaign: Campaign; onClose: () => void }) {
  const { campaign, onClose } = props;
  const { campaign_id: id, name } = campaign;
  const params = { campaign_id: id };
  const preflight = useQuery("preflightCampaign", { params });
  const ahead = useQuery("forecastCampaign", { params, query: { days: AHEAD_DAYS, limit: 1 } });
  const launch = useAction("launchCampaign");
  // A launch that was refused says what it found itself.
  const refused = launch.problem?.more["checks"] as Checks | undefined;
  const isReady = preflight.data?.ok === true && ahead.data !== undefined;

  async function run(): Promise<void> {
    const launched = await launch.run({ params });
    if (launched === undefined) return;
    toast(
      launched.status === "scheduled"
        ? `${name} starts by itself at its date.`
        : `${name} is being launched: its first messages appear on the axis.`,
    );
    onClose();
  }
  return (
    <Dialog title={`Launch ${name}?`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) void run();
        }}
      >
        <Part of={preflight} lines={8}>
          {(found) => <CheckList checks={refused ?? found.checks} />}
        </Part>
        {launch.problem !== undefined && <ProblemNote problem={launch.problem} />}
        {ahead.problem !== undefined && (
          <ProblemNote problem={ahead.problem} retry={ahead.reload} />
        )}
        <div class="dialog-foot">
          <button type="button" class="btn" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="btn main" disabled={!isReady || launch.isRunning}>
            {preflight.data?.ok === false
              ? "Mend what stops it first"
              : ahead.data === undefined
                ? "Looking ahead"
                : launchWords(ahead.data)}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

const TURN_MS = 45;

/** What stops a launch first, then what is only said, then what is well. */
function CheckList({ checks }: { checks: Checks }) {
  const shown = useSignal(matchMedia("(prefers-reduced-motion: reduce)").matches ? Infinity : 0);
  useEffect(() => {
    const timer = setInterval(() => shown.value++, TURN_MS);
    return () => clearInterval(timer);
  }, []);
  const rank = ({ ok, severity }: Checks[number]) => (ok ? 2 : severity === "error" ? 0 : 1);
  const inOrder = checks.toSorted((a, b) => rank(a) - rank(b));
  const wrong = inOrder.filter((check) => rank(check) === 0).length;
  const warned = inOrder.filter((check) => rank(check) === 1).length;
  return (
    <>
      <p>
        <b>
          {wrong > 0
            ? `${count(wrong, "check")} of ${checks.length} ${wrong === 1 ? "stops" : "stop"} it.`
            : `All ${checks.length} checks let it go.`}
        </b>{" "}
        {warned > 0 && `${count(warned, "warning")} to read first.`}
      </p>
      <ul class="checks">
        {inOrder.map((check, index) => (
          <li
            key={check.name}
            class={index < shown.value ? ["bad", "warn", "good"][rank(check)] : ""}
          >
            <b>
              <span class="sr">{["Stops it: ", "Warning: ", "Well: "][rank(check)]}</span>
              {words(check.name)}
            </b>
            <span>{check.message}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
