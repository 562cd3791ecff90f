// Runs in the console's page, before its own scripts: what tests ask there (test/support/console.ts).
document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sample }) =>
  console.error(`policy: ${violatedDirective} ${blockedURI} ${sample}`),
);

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

globalThis.consolePage = {
  /** What axe finds: rule and place, a line each. */
  async axeFindings(rules) {
    const runOnly = rules === "all" ? TAGS : { type: "rule", values: ["color-contrast"] };
    const { violations } = await globalThis.axe.run(document, { runOnly });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary}`),
    );
  },
  /** A file, dropped on the page's heading. */
  drop(name, text) {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], name, { type: "text/csv" }));
    const drop = new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true });
    document.querySelector("h1").dispatchEvent(drop);
  },
  tooWide() {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  },
  /** Controls under 24 px that stand in no sentence (WCAG 2.5.8). */
  smallTargets() {
    return [...document.querySelectorAll("button, select, .rail a, .tabs a, summary")]
      .filter((each) => each.checkVisibility())
      .filter((each) => {
        const { width, height } = each.getBoundingClientRect();
        return width < 23.9 || height < 23.9;
      })
      .map((each) => `under 24 px: ${each.outerHTML.slice(0, 80)}`);
  },
};
