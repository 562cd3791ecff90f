import { escapeHtml } from "#src/mime/escape-html.ts";
import type { Company } from "./companies.ts";

/** The pages of a company's site by their paths, as a person's browser would get them. */
export function companyPages(company: Company): Map<string, string> {
  const { name, does, about, news, jobs } = company;
  const page = (title: string, body: string) => frame(company, title, body);
  const paragraphs = (texts: readonly string[]) =>
    texts.map((text) => `<p>${escapeHtml(text)}</p>`).join("\n");
  const stories = news
    .map(({ title, text }) => `<h2>${escapeHtml(title)}</h2>\n<p>${escapeHtml(text)}</p>`)
    .join("\n");
  return new Map([
    ["/", page(name, `<h1>${escapeHtml(name)}</h1>\n<p>${escapeHtml(does)}</p>`)],
    ["/about", page(`About ${name}`, `<h1>Who we are</h1>\n${paragraphs(about)}`)],
    ["/news", page(`News of ${name}`, `<h1>News</h1>\n${stories}`)],
    [
      "/careers",
      page(
        `Work at ${name}`,
        `<h1>Open positions</h1><ul>${jobs.map((job) => `<li>${escapeHtml(job)}</li>`).join("")}</ul>`,
      ),
    ],
    ["/imprint", page("Imprint", `<p>${escapeHtml(name)}, ${escapeHtml(company.city)}</p>`)],
  ]);
}

function frame(
  { name, does, city, country, founded, employees }: Company,
  title: string,
  body: string,
) {
  const data = {
    "@context": "https://schema.org",
    "@type": "Organization",
    name,
    foundingDate: founded,
    numberOfEmployees: { "@type": "QuantitativeValue", value: employees },
    address: { "@type": "PostalAddress", addressLocality: city, addressCountry: country },
  };
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escapeHtml(title)}</title>
<meta name="description" content="${escapeHtml(does)}">
<script type="application/ld+json">${JSON.stringify(data).replaceAll("<", "\\u003c")}</script>
<style>body { font: 16px sans-serif }</style>
</head>
<body>
<header><nav><a href="/">Home</a> <a href="/about">About us</a> <a href="/news">News</a> <a href="/careers">Careers</a></nav></header>
<main>
${body}
</main>
<form action="/newsletter"><p>Subscribe to our newsletter</p><input name="email"></form>
<footer><p>We use cookies.</p><a href="/imprint">Imprint</a> <a href="https://example.com/elsewhere/about">A friend</a></footer>
<script>document.body.dataset.ready = "yes"</script>
</body>
</html>`;
}
