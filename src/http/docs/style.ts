export const STYLE = `
:root{color-scheme:light dark;--line:#8884;--soft:#8881}
*{box-sizing:border-box}
body{margin:0;font:15px/1.5 system-ui,sans-serif;display:grid;grid-template-columns:15rem minmax(0,1fr)}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1rem;border-right:1px solid var(--line)}
nav h1{font-size:1.2rem;margin:0 0 1rem}nav ul{list-style:none;padding:0;margin:1rem 0}nav li{margin:.25rem 0}
input{font:inherit;width:100%;padding:.35rem .5rem;border:1px solid var(--line);border-radius:6px;background:transparent;color:inherit}
main{padding:1rem 2rem 6rem;max-width:70rem}
h2{margin:2.5rem 0 .5rem;border-bottom:1px solid var(--line)}h3{margin:1rem 0 .3rem;font-size:.95rem}
small{font-weight:normal;opacity:.7}
.operation{border:1px solid var(--line);border-radius:8px;margin:.5rem 0;padding:0 .8rem}
summary{cursor:pointer;padding:.5rem 0}summary span{opacity:.75;margin-left:.5rem}
summary b{display:inline-block;min-width:4.2rem;font-size:.8rem;padding:.1rem .4rem;border-radius:4px;background:var(--soft);text-align:center}
.get{color:#1a6}.post{color:#27c}.patch{color:#a60}.put{color:#a60}.delete,.error{color:#c33}.ok{color:#1a6}
pre{background:var(--soft);padding:.7rem;border-radius:6px;overflow:auto}code,pre{font-family:ui-monospace,monospace;font-size:.88em}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.9rem}
td,th{border-bottom:1px solid var(--line);padding:.25rem .6rem .25rem 0;text-align:left;vertical-align:top}
@media(max-width:45rem){body{display:block}nav{position:static;height:auto;border:0}nav ul{display:flex;flex-wrap:wrap;gap:.2rem 1rem}main{padding:1rem}}
`;

/** Hides what does not hold every word that was typed; opens the operation that the address names. */
export const FIND_SCRIPT = `
const find = document.getElementById("find");
const operations = [...document.querySelectorAll(".operation")];
const texts = operations.map((operation) => operation.textContent.toLowerCase());
function filter() {
  const words = find.value.toLowerCase().split(/\\s+/).filter(Boolean);
  operations.forEach((operation, index) => { operation.hidden = !words.every((word) => texts[index].includes(word)); });
  for (const section of document.querySelectorAll("section")) section.hidden = !section.querySelector(".operation:not([hidden])");
  document.getElementById("none").hidden = operations.some((operation) => !operation.hidden);
}
find.addEventListener("input", filter);
function open() { const named = document.getElementById(location.hash.slice(1)); if (named instanceof HTMLDetailsElement) named.open = true; }
addEventListener("hashchange", open);
open();
`;
