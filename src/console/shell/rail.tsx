import { place, href } from "../router.ts";
import { navigation } from "../routes.ts";
import { me, signOut } from "../session.ts";
import { isHelpOpen } from "../keys.ts";
import { num } from "../pure/words.ts";
import { toast } from "../parts/toast.tsx";
import { asProblem } from "../api/problem.ts";

export function Logo() {
  return (
    <b class="logo">
      <svg width="22" height="22" viewBox="0 0 22 22" aria-hidden="true">
        <path class="logo-past" d="M2 19V11M6.5 19V7M11 19V3" />
        <path class="logo-future" d="M15.5 19V8M20 19v-5" />
      </svg>
      Overture
    </b>
  );
}

export function Rail() {
  const path = place.value?.path ?? "";
  const user = me.value;
  return (
    <header class="rail">
      <Logo />
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
      {user != null && (
        <div class="rail-foot">
          <p>
            <b>{user.workspace.name}</b>
            <br />
            {num(user.workspace.credits)} credits, {user.workspace.plan}
          </p>
          {user.email !== null && <p class="who">{user.email}</p>}
          <p>
            <button type="button" class="link" onClick={() => void leave()}>
              Sign out
            </button>{" "}
            <button type="button" class="link" onClick={() => (isHelpOpen.value = true)}>
              Keys
            </button>
          </p>
        </div>
      )}
    </header>
  );
}

async function leave(): Promise<void> {
  try {
    await signOut();
  } catch (error) {
    toast(`You are still signed in. ${asProblem(error).message}`);
  }
}
