declare namespace App {
  /** What our own entry gives to every page and endpoint. */
  interface Locals {
    ctx: import('#server/context.ts').AppContext;
    limiter: import('#server/http/rate-limit.ts').RateLimiter;
    /** What the client's rate limits are counted by. */
    client: string;
    requestId: string;
  }
}
