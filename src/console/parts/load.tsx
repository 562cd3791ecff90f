import { useSignal } from "@preact/signals";
import { Component, type ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { asProblem, type Problem } from "../api/problem.ts";
import { ProblemNote } from "./problem.tsx";
import { Time } from "./time.tsx";

interface Loaded<Data> {
  data?: Data;
  problem?: Problem | undefined;
  isLoading: boolean;
  at?: number | undefined;
  reload(): void;
}

/**
 * A part of a page that is read: its place at once, a skeleton after 200 ms, and what failed says so here alone. What
 * was read before stays, with its time.
 */
export function Part<Data>(props: {
  of: Loaded<Data>;
  /** Lines of the skeleton: about as many as will come. */
  lines?: number;
  children: (data: Data) => ComponentChildren;
}) {
  const { of, lines = 4, children } = props;
  if (of.data === undefined && of.problem !== undefined)
    return <ProblemNote problem={of.problem} retry={of.reload} />;
  if (of.data === undefined) return <Skeleton lines={lines} />;
  return (
    <>
      {of.problem !== undefined && (
        <ProblemNote problem={of.problem} retry={of.reload}>
          {of.at !== undefined && (
            <>
              What you see is of <Time at={of.at} as="clock" />.
            </>
          )}
        </ProblemNote>
      )}
      <Guard>{children(of.data)}</Guard>
    </>
  );
}

const SKELETON_AFTER_MS = 200;

export function Skeleton({ lines = 4 }: { lines?: number }) {
  const isShown = useSignal(false);
  useEffect(() => {
    const timer = setTimeout(() => (isShown.value = true), SKELETON_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class={isShown.value ? "skeleton" : "skeleton unseen"} role="status">
      <span class="sr">Loading</span>
      {Array.from({ length: lines }, (_, line) => (
        <i key={line} class={`w${(line * 7) % 4}`} />
      ))}
    </div>
  );
}

/** A part that breaks takes nothing else with it. */
export class Guard extends Component<{ children?: ComponentChildren }, { problem?: Problem }> {
  override state: { problem?: Problem } = {};
  override componentDidCatch(error: unknown): void {
    this.setState({ problem: asProblem(error) });
  }
  override render() {
    const { problem } = this.state;
    if (problem === undefined) return this.props.children;
    return (
      <ProblemNote problem={problem} retry={() => this.setState({}, () => location.reload())} />
    );
  }
}
