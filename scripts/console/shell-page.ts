/** The one page of the console. What is named here is loaded at once; nothing in it is a script or a style of its own. */
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
<div id="console"></div>
<noscript><p>The console needs JavaScript. Everything it does the API does as well: <a href="/docs">its description</a>.</p></noscript>
</body>
</html>
`;
}
