/** Makes an element. Text is always text: nothing of the description is ever read as HTML. */
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

export const byId = (id) => document.getElementById(id);

/** Prose of the description: what stands between backticks is code. */
export function prose(text) {
  return text
    .split("`")
    .map((part, index) => (index % 2 === 1 ? el("code", {}, part) : part))
    .filter((part) => part !== "");
}

/** A block of code with a button that copies it. */
export function codeBlock(text) {
  const button = el("button", { type: "button", class: "copy" }, "Copy");
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 1500);
  });
  return el("div", { class: "code" }, el("pre", {}, text), button);
}

export const pretty = (value) => JSON.stringify(value, null, 2);
