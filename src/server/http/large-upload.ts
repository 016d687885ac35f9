import type { RateLimiter } from '../rate-limit.ts';

/** One request's body, as far as it counts: a large one does until its request is answered without a refusal. */
export class LargeUpload {
  readonly #limiter: RateLimiter;
  readonly #client: string;
  #isCounted = false;

  constructor(limiter: RateLimiter, client: string) {
    this.#limiter = limiter;
    this.#client = client;
  }

  /**
   * To be called before more than a usual body (64 KiB) is read, or made of a compressed one.
   *
   * @throws {QuotaError} if too many of the client's large bodies were refused.
   */
  readonly admit = (): void => {
    if (this.#isCounted) return;
    this.#limiter.take('uploads', this.#client);
    this.#isCounted = true;
  };

  /** To be called with the status of the answer. */
  settle(status: number): void {
    if (this.#isCounted && status < 400) this.#limiter.giveBack('uploads', this.#client);
  }
}
