import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useQuery } from "../api/use.ts";
import { place, href } from "../router.ts";
import { navigation } from "../routes.ts";
import { me, type Me, signOut } from "../session.ts";
import { isHelpOpen } from "../keys.ts";
import { num } from "../pure/words.ts";
import { toast } from "../parts/toast.tsx";
import { asProblem } from "../api/problem.ts";

export function Logo() {
  return (
    <b class="logo">
      <svg viewBox="0 0 22 22" aria-hidden="true">
        <path class="logo-past" d="M2 19V11M6.5 19V7M11 19V3" />
        <path class="logo-future" d="M15.5 19V8M20 19v-5" />
      </svg>
      Overture
    </b>
  );
}

/** On the left; on narrow screens behind a button. */
export function Rail() {
  const isOpen = useSignal(false);
  const path = place.value?.path ?? "";
  useEffect(() => {
    isOpen.value = false;
  }, [path]);
  return (
    <header class={isOpen.value ? "rail open" : "rail"}>
      <div class="rail-top">
        <Logo />
        <button
          type="button"
          class="btn rail-toggle"
          aria-expanded={isOpen.value}
          onClick={() => (isOpen.value = !isOpen.value)}
        >
          Menu
        </button>
      </div>
      <nav aria-label="Console">
        {navigation.map((group, index) => (
          <ul key={index}>
            {group.map((item) => (
              <li key={item.path}>
                <a
                  href={href(item.path)}
                  aria-current={
                    path === item.path || path.startsWith(`${item.path}/`) ? "page" : undefined
                  }
                >
                  {item.label}
                </a>
              </li>
            ))}
          </ul>
        ))}
      </nav>
      {me.value != null && <Foot of={me.value} />}
    </header>
  );
}

/** Who is here, and what is left to spend: read again after each write. */
function Foot({ of }: { of: Me }) {
  const { workspace, email } = useQuery("getCurrentUser").data ?? of;
  return (
    <div class="rail-foot">
      <p>
        <b>{workspace.name}</b>
        <br />
        {num(workspace.credits)} credits, {workspace.plan}
      </p>
      {email !== null && <p>{email}</p>}
      <p>
        <button type="button" class="link" onClick={() => void leave()}>
          Sign out
        </button>{" "}
        <button type="button" class="link" onClick={() => (isHelpOpen.value = true)}>
          Shortcuts
        </button>
      </p>
    </div>
  );
}

async function leave(): Promise<void> {
  try {
    await signOut();
  } catch (error) {
    toast(`You are still signed in. ${asProblem(error).message}`);
  }
}
