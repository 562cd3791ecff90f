/** Asks an isolate of workerd by the Chrome DevTools Protocol. */
export interface Inspector {
  ask(method: string, params?: object): Promise<unknown>;
  close(): void;
}

export async function openInspector(port: number): Promise<Inspector> {
  const [target] = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as {
    webSocketDebuggerUrl: string;
  }[];
  const { pathname } = new URL(target!.webSocketDebuggerUrl);
  const socket = new WebSocket(`ws://127.0.0.1:${port}${pathname}`);
  const waiting = new Map<number, (result: unknown) => void>();
  let last = 0;
  socket.addEventListener("message", ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result?: unknown };
    if (id !== undefined) waiting.get(id)?.(result);
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", reject);
  });
  return {
    ask: (method, params = {}) =>
      new Promise<unknown>((resolve) => {
        waiting.set(++last, resolve);
        socket.send(JSON.stringify({ id: last, method, params }));
      }),
    close: () => socket.close(),
  };
}
