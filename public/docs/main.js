import { byId, el, prose } from "./dom.js";
import { matches, wordsOf } from "./find.js";
import { operationCard, operationsOf } from "./operation.js";

const KEY = "overture.key";

/** Which description is shown: `/docs?v=2` is the second. */
const version = new URLSearchParams(location.search).get("v") === "2" ? "2" : "1";
const source = version === "2" ? "/openapi/v2.json" : "/openapi.json";

/** A place in the page: an operation or the head of its group, with its entry in the menu. */
const entries = [];

async function start() {
  keepKey();
  byId(`v${version}`).setAttribute("aria-current", "page");
  for (const part of document.querySelectorAll("[data-version]"))
    part.hidden = part.dataset.version !== version;
  const response = await fetch(source);
  if (!response.ok) throw new Error(`${source} answered ${response.status}`);
  const description = await response.json();
  byId("version").textContent = description.info.version;
  document.title = `${description.info.title} API ${description.info.version}`;
  byId("about").append(...prose(description.info.description ?? ""));
  const operations = operationsOf(description);
  for (const tag of tagsOf(description, operations)) addGroup(tag, operations);
  byId("state").textContent = "";
  byId("find").addEventListener("input", filter);
  addEventListener("hashchange", openNamed);
  markCurrent();
  openNamed();
}

/** In the description's order; one that it does not describe comes last. */
function tagsOf({ tags = [] }, operations) {
  const described = tags.filter(({ name }) => operations.some(({ tag }) => tag === name));
  const names = new Set(described.map(({ name }) => name));
  const others = new Set(operations.map(({ tag }) => tag).filter((name) => !names.has(name)));
  return [...described, ...[...others].map((name) => ({ name, description: "" }))];
}

const anchorOf = (tag) => tag.toLowerCase().replaceAll(" ", "-");

function addGroup({ name, description = "" }, operations) {
  const anchor = anchorOf(name);
  const items = el("ul", {});
  const section = el(
    "section",
    { "aria-labelledby": anchor },
    el("h2", { id: anchor }, el("a", { href: `#${anchor}` }, name)),
    el("p", { class: "soft" }, prose(description)),
  );
  const group = el("div", { class: "group" }, el("a", { href: `#${anchor}` }, name), items);
  for (const operation of operations.filter(({ tag }) => tag === name)) {
    const card = operationCard(operation);
    const link = el(
      "a",
      { href: `#${operation.id}`, title: operation.path },
      el("b", { class: `method ${operation.method}` }, operation.method),
      el("span", {}, prose(operation.summary ?? operation.path)),
    );
    const item = el("li", {}, link);
    section.append(card);
    items.append(item);
    entries.push({ card, item, section, group, words: wordsOf(operation) });
  }
  byId("menu").append(group);
  byId("content").append(section);
}

/** Page and menu show the same. */
function filter() {
  const query = byId("find").value.trim();
  for (const { card, item, words } of entries) {
    const isFound = matches(words, query);
    card.hidden = !isFound;
    item.hidden = !isFound;
  }
  const shown = entries.filter(({ card }) => !card.hidden);
  const sections = new Set(shown.map(({ section }) => section));
  for (const { section, group } of entries) {
    section.hidden = !sections.has(section);
    group.hidden = section.hidden;
    group.classList.toggle("found", query !== "" && !section.hidden);
  }
  if (query !== "") scrollTo({ top: 0 });
  byId("state").textContent =
    query === ""
      ? ""
      : shown.length === 0
        ? `Nothing here has “${query}”.`
        : `${shown.length} of ${entries.length} operations`;
}

/** The group that is read now is open in the menu and marked. */
function markCurrent() {
  const visible = new Set();
  const observer = new IntersectionObserver(
    (changes) => {
      for (const { target, isIntersecting } of changes)
        if (isIntersecting) visible.add(target);
        else visible.delete(target);
      const groups = new Map(entries.map(({ section, group }) => [section, group]));
      const first = [...groups.keys()].find((section) => visible.has(section));
      for (const [section, group] of groups) {
        const isCurrent = section === first;
        group.classList.toggle("current", isCurrent);
        if (isCurrent) {
          group.firstElementChild.setAttribute("aria-current", "true");
          bringIntoMenu(group);
        } else group.firstElementChild.removeAttribute("aria-current");
      }
    },
    { rootMargin: "-10% 0px -70% 0px" },
  );
  for (const section of new Set(entries.map((entry) => entry.section))) observer.observe(section);
}

/** Without moving the page, as `scrollIntoView` would on a phone. */
function bringIntoMenu(group) {
  const menu = group.closest("nav");
  const { top, bottom } = group.firstElementChild.getBoundingClientRect();
  if (top < 0 || bottom > menu.clientHeight) menu.scrollTop += top - menu.clientHeight / 3;
}

/** Opens what the address names, also when its link is followed again. */
function openNamed() {
  const named = byId(decodeURIComponent(location.hash.slice(1)));
  if (named === null) return;
  if (named instanceof HTMLDetailsElement) named.open = true;
  named.scrollIntoView();
}

/** In this tab's memory of its own: no other tab, and nothing after it is closed, has the key. */
function keepKey() {
  const input = byId("key");
  input.value = sessionStorage.getItem(KEY) ?? "";
  input.addEventListener("input", () => {
    if (input.value === "") sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, input.value.trim());
  });
}

start().catch((error) => {
  byId("state").textContent = `The description could not be read: ${error.message}`;
});
