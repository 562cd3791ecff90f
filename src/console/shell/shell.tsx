import { signedOut } from "../api/call.ts";
import { isHelpOpen } from "../keys.ts";
import { ConfirmHost } from "../parts/confirm.tsx";
import { Skeleton, Guard } from "../parts/load.tsx";
import { Empty, Page } from "../parts/page.tsx";
import { ProblemNote } from "../parts/problem.tsx";
import { ToastHost } from "../parts/toast.tsx";
import { href, loadFault, place } from "../router.ts";
import { HOME } from "../routes.ts";
import { learnMe, me, meProblem } from "../session.ts";
import { OfflineBar } from "./offline.tsx";
import { Rail } from "./rail.tsx";
import { ShortcutsHelp } from "./shortcuts.tsx";
import { SignInAgain, SignInScreen } from "./sign-in.tsx";

/** The frame around every screen; without a session the sign-in alone, at the address that was asked for. */
export function Shell() {
  if (me.value === null) return <SignInScreen />;
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <Rail />
      <div class="page">
        <OfflineBar />
        <main id="main" tabIndex={-1}>
          {me.value === undefined ? <Opening /> : <Current />}
        </main>
      </div>
      {signedOut.value && me.value != null && <SignInAgain />}
      {isHelpOpen.value && <ShortcutsHelp />}
      <ConfirmHost />
      <ToastHost />
    </>
  );
}

function Opening() {
  if (meProblem.value !== null)
    return (
      <Page title="Overture">
        <ProblemNote problem={meProblem.value} retry={() => void learnMe()} />
      </Page>
    );
  return <Skeleton lines={6} />;
}

function Current() {
  if (loadFault.value !== null)
    return (
      <Page title="This page did not load">
        <Empty
          title="A part of the console is missing."
          action={
            <button type="button" class="btn main" onClick={() => location.reload()}>
              Load the page again
            </button>
          }
        >
          The connection broke, or a newer version was just deployed. What you typed is kept.
        </Empty>
      </Page>
    );
  const now = place.value;
  if (now === null) return <Skeleton lines={6} />;
  if (now.screen === null)
    return (
      <Page title="There is no such page">
        <Empty title={now.path.slice(0, 200)} action={<a href={href(HOME)}>To the start</a>}>
          The address may have been typed wrong, or what it was about is gone.
        </Empty>
      </Page>
    );
  const { screen: Screen, params, query, page } = now;
  return (
    <Guard key={page}>
      <Screen params={params} query={query} />
    </Guard>
  );
}
