/** As `Logo` of the shell draws it. */
const LOGO =
  '<b class="logo"><svg viewBox="0 0 22 22" aria-hidden="true"><path class="logo-past" d="M2 19V11M6.5 19V7M11 19V3"/><path class="logo-future" d="M15.5 19V8M20 19v-5"/></svg>Overture</b>';

/** The one page of the console. What is named here is loaded at once; nothing in it is a script or a style of its own. Its frame is painted before any script. */
export function shellPage({ scripts, style }: { scripts: string[]; style: string }): string {
  const [entry, ...imported] = scripts;
  const preloads = imported.map((name) => `<link rel="modulepreload" href="/console/f/${name}">\n`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Overture</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/console/f/${style}">
${preloads.join("")}<script type="module" src="/console/f/${entry}"></script>
</head>
<body>
<div id="console"><header class="rail"><div class="rail-top">${LOGO}</div></header><div class="page"><main></main></div></div>
<noscript><p>The console needs JavaScript. Everything it does the API does as well: <a href="/docs">its description</a>.</p></noscript>
</body>
</html>
`;
}
