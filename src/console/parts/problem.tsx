import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { Problem } from "../api/problem.ts";
import { CopyButton } from "./copy.tsx";

/** What went wrong, in the API's words: what to do, the id to quote, and the way to try again. */
export function ProblemNote(props: {
  problem: Problem;
  retry?: () => void;
  children?: ComponentChildren;
}) {
  const { problem, retry, children } = props;
  const left = useCountdown(problem);
  return (
    <div class="note bad" role="alert">
      <p>
        <b>{titleOf(problem)}</b> {problem.message} {children}
        {left > 0 && <span> Possible again in {left} s.</span>}
      </p>
      {(retry !== undefined || problem.requestId !== undefined) && (
        <p class="note-foot">
          {retry !== undefined && (
            <button type="button" class="btn" disabled={left > 0} onClick={retry}>
              Try again
            </button>
          )}
          {problem.requestId !== undefined && (
            <span class="dim">
              Request <code>{problem.requestId}</code>{" "}
              <CopyButton text={problem.requestId} label="Copy the request's id" isSmall />
            </span>
          )}
        </p>
      )}
    </div>
  );
}

function titleOf({ status, code }: Problem): string {
  if (code === "NETWORK") return "No answer.";
  if (status === 401) return "You are signed out.";
  if (status === 403) return "Not allowed.";
  if (status === 404) return "Not there.";
  if (status === 412) return "Somebody changed it meanwhile.";
  if (status === 409) return "It is otherwise now.";
  if (status === 422) return "This does not fit.";
  if (status === 429) return "Too many requests.";
  return "It did not work.";
}

/** Seconds until the answer allows another try (429, 503 with Retry-After). */
export function useCountdown(problem: Problem | undefined): number {
  const left = useSignal(problem?.retryAfter ?? 0);
  useEffect(() => {
    left.value = problem?.retryAfter ?? 0;
    const timer = setInterval(() => {
      if (left.peek() > 0) left.value = left.peek() - 1;
    }, 1000);
    return () => clearInterval(timer);
  }, [problem]);
  return left.value;
}
