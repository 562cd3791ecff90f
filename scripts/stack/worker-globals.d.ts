// The part of Node's API that the local entry uses in workerd (nodejs_compat); @types/node stays out of the Workers' types.
declare module "node:async_hooks" {
  export class AsyncLocalStorage<T> {
    run<Result>(store: T, callback: () => Result): Result;
    getStore(): T | undefined;
  }
}
