import { bytes, call, el, fullTime } from "./dom.js";

export const postEntry = ({ id, owner, text, published_at: at, impressions_counter: seen }) => ({
  key: id,
  title: text.split("\n")[0],
  mark: { word: `${seen} seen` },
  top: owner.name,
  preview: `#${id}`,
  at,
});

const COUNTERS = [
  ["Impressions", "impressions_counter"],
  ["Reactions", "reaction_counter"],
  ["Comments", "comment_counter"],
  ["Reposts", "repost_counter"],
];

export function postView(post, refresh) {
  const { id, owner, text, image, published_at: at } = post;
  return el(
    "article",
    { class: "card", "aria-label": "Post" },
    el("a", { class: "back", href: "#/posts" }, "All posts"),
    el("h2", {}, owner.name),
    el("p", { class: "hint" }, owner.headline, ", ", fullTime(at)),
    el("p", { class: "words", dir: "auto" }, text),
    image === null ? null : picture(image),
    el(
      "dl",
      { class: "counters" },
      ...COUNTERS.map(([label, field]) =>
        el("div", {}, el("dt", {}, label), el("dd", {}, post[field].toLocaleString())),
      ),
    ),
    el(
      "div",
      { class: "deed" },
      el("p", { class: "hint" }, el("code", {}, post.social_id)),
      el(
        "button",
        {
          type: "button",
          class: "quiet danger",
          onclick: async () => {
            await call("POST", `/api/posts/${id}/remove`);
            location.hash = "#/posts";
            await refresh();
          },
        },
        "Remove it",
      ),
    ),
  );
}

function picture({ url, type, bytes: size, width, height }) {
  const facts = `${type}, ${width} x ${height}, ${bytes(size)}`;
  return el(
    "figure",
    {},
    el("img", { src: url, alt: "The post's image" }),
    el("figcaption", { class: "hint" }, facts),
  );
}
