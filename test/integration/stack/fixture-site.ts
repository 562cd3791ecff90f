import * as http from "node:http";
import type { AddressInfo } from "node:net";

export interface Visit {
  method: string;
  path: string;
  headers: http.IncomingHttpHeaders;
  body: string;
}

export interface FixtureSite {
  url: string;
  visits: Visit[];
  close(): Promise<void>;
}

const pixel = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");

/** What stands in for Overture's tracking host and for a link's target: `/hop/N` redirects N times, `/loop` for ever. */
export async function startFixtureSite(): Promise<FixtureSite> {
  const visits: Visit[] = [];
  const server = http.createServer((request, response) => {
    const path = request.url ?? "/";
    const redirect = (location: string) => response.writeHead(302, { Location: location }).end();
    let body = "";
    request.on("data", (part: Buffer) => {
      body += part.toString();
    });
    request.on("end", () => {
      visits.push({ method: request.method ?? "", path, headers: request.headers, body });
      const hop = /^\/hop\/(\d+)/.exec(path);
      if (hop !== null)
        return redirect(hop[1] === "1" ? "/page?a=1&b=2" : `/hop/${Number(hop[1]) - 1}`);
      if (path === "/loop") return redirect("/loop");
      if (path === "/dead") return redirect("http://127.0.0.1:9/nobody");
      if (/\.gif(\?|$)/.test(path))
        return response.writeHead(200, { "Content-Type": "image/gif" }).end(pixel);
      if (path === "/missing.png") return response.writeHead(404).end();
      return response.writeHead(200, { "Content-Type": "text/html" }).end("<title>A page</title>");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    visits,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
