/** What is left to do by hand, up to a first message. */
export function nextSteps(env: Record<string, string>): string {
  const base = env["PUBLIC_BASE_URL"];
  const audience = env["JWT_AUDIENCE"] === undefined ? "" : ` JWT_AUDIENCE=${env["JWT_AUDIENCE"]}`;
  const token =
    env["JWT_SECRET"] === undefined
      ? "log in with your identity provider; its token is the credential"
      : `JWT_SECRET=<it> JWT_ISSUER=${env["JWT_ISSUER"]}${audience} npm run token -- --email you@your.domain`;
  return `
Deployed. Up to a first message:

1. A login token: ${token}
2. Its first request makes your workspace, and says its id: curl ${base}/api/v1/workspace -H "Authorization: Bearer <token>"
3. Keys are of the paid plan: DATABASE_URL=<it> npm run admin -- plan <its id> paid
4. A key: curl -X POST ${base}/api/v1/api-keys -H "Authorization: Bearer <token>" -H "Content-Type: application/json" -d '{"name":"first"}'
5. A sender and a message: docs/deploying.md, "A first message"; everything else at ${base}/docs
6. Mail that comes back: docs/deploying.md, "Mail that comes back"

npx wrangler tail shows the log as it happens; npm run doctor looks again.`;
}
