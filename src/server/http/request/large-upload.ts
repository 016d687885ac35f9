import { DomainError } from '#core/domain/text/errors.ts';
import type { RateLimiter } from '#server/process/rate-limit.ts';

/** The most large bodies that are processed at a time, from inflation to the response, and that wait for that. */
const AT_ONCE = 2;
const MAX_WAITING = 100;

/**
 * One request's large body. It counts against its client until the request succeeds. Processing takes several times
 * its memory, so it waits until one of few slots is free.
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
   * Call it before more than a usual body (64 KiB) is read.
   *
   * @throws {QuotaError} if too many of the client's large bodies were rejected.
   */
  readonly admit = (): void => {
    if (this.#isCounted) return;
    this.#limiter.take('uploads', this.#client);
    this.#isCounted = true;
  };

  /**
   * Call it before a large body is processed. Resolves when a slot is free.
   *
   * @throws {QuotaError} as {@linkcode admit} does.
   * @throws {DomainError} `service_unavailable` if too many wait.
   */
  readonly enter = async (): Promise<void> => {
    this.admit();
    await (this.#place ??= takePlace());
  };

  /** Frees the slot, if it has one. Call it when the request is answered, or its caller is known. */
  readonly leave = (): void => {
    void this.#place?.then(givePlaceBack, () => undefined);
    this.#place = null;
  };

  /** Call it with the status of the response. */
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
    throw new DomainError('service_unavailable', 'Too many large uploads are waiting');
  }
  // Resolves when another upload finishes and passes on its slot.
  await new Promise<void>((resolve) => waiting.push(resolve));
}

function givePlaceBack(): void {
  const next = waiting.shift();
  if (next) next();
  else underWay -= 1;
}
