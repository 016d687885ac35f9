import { DomainError } from '#core/domain/text/errors.ts';
import type { RateLimiter } from '#server/process/rate-limit.ts';

/** Large bodies that are worked on at a time, from inflation until they are answered, and that wait for it. */
const AT_ONCE = 2;
const MAX_WAITING = 100;

/**
 * One request's body, as far as it is large: it counts until its request is answered without a refusal, and
 * has to wait for a place before anything is made of it, since that takes several times its memory.
 */
export class LargeUpload {
  readonly #limiter: RateLimiter;
  readonly #client: string;
  #isCounted = false;
  #place: Promise<void> | null = null;

  constructor(limiter: RateLimiter, client: string) {
    this.#limiter = limiter;
    this.#client = client;
  }

  /**
   * To be called before more than a usual body (64 KiB) is read.
   *
   * @throws {QuotaError} if too many of the client's large bodies were refused.
   */
  readonly admit = (): void => {
    if (this.#isCounted) return;
    this.#limiter.take('uploads', this.#client);
    this.#isCounted = true;
  };

  /**
   * To be called before anything is made of more than a usual body; resolves when it has a place.
   *
   * @throws {QuotaError} as {@linkcode admit} does.
   * @throws {DomainError} `service_unavailable` if too many wait.
   */
  readonly enter = async (): Promise<void> => {
    this.admit();
    await (this.#place ??= takePlace());
  };

  /** Gives the place back, if it has one. To be called when it is answered, or known who answers for it. */
  readonly leave = (): void => {
    void this.#place?.then(givePlaceBack, () => undefined);
    this.#place = null;
  };

  /** To be called with the status of the answer. */
  settle(status: number): void {
    if (this.#isCounted && status < 400) this.#limiter.giveBack('uploads', this.#client);
  }
}

let underWay = 0;
const waiting: (() => void)[] = [];

async function takePlace(): Promise<void> {
  if (underWay < AT_ONCE) {
    underWay += 1;
    return;
  }
  if (waiting.length >= MAX_WAITING) {
    throw new DomainError('service_unavailable', 'Too many large uploads wait to be read');
  }
  // Resolves when another one is done, whose place it takes.
  await new Promise<void>((resolve) => waiting.push(resolve));
}

function givePlaceBack(): void {
  const next = waiting.shift();
  if (next) next();
  else underWay -= 1;
}
