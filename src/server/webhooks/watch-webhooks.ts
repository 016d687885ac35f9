import type { DueDelivery } from '#db/webhook-outbox.ts';
import type { AppContext } from '#server/context.ts';
import type { Watch } from '#server/process/admin-actions.ts';
import { logFailure } from '#server/process/storage-fault.ts';
import { type Sender, claim, deliver } from './deliver.ts';

const EVERY_MS = 1_000;
/** The pause after the outbox could not be read or written. */
const PAUSE_MS = 60_000;
/** How many webhooks are sent to at the same time, each with one request. */
const MAX_PARALLEL = 8;

export function senderOf({ config, store, now }: Pick<AppContext, 'config' | 'now' | 'store'>) {
  const { baseUrl, site, webhookNetworks: networks } = config;
  return { store, baseUrl, name: site.name, networks, now } satisfies Sender;
}

type WatchedBoard = Pick<AppContext, 'config' | 'logger' | 'now' | 'store'>;

/** Sends what is due in the outbox, until it is stopped. A request in progress is then repeated by the next process. */
export function watchWebhooks(board: WatchedBoard): Watch {
  const deliveries = new Deliveries(board);
  const timer = setInterval(() => deliveries.look(), EVERY_MS);
  timer.unref();
  return {
    stop() {
      clearInterval(timer);
      deliveries.stop();
    },
  };
}

class Deliveries {
  readonly #logger: AppContext['logger'];
  readonly #sender: Sender;
  readonly #ending = new AbortController();
  /** The webhooks that are sent to. */
  readonly #busy = new Set<string>();
  #pausedUntilMs = 0;

  constructor(board: WatchedBoard) {
    this.#logger = board.logger;
    this.#sender = senderOf(board);
  }

  stop(): void {
    this.#ending.abort();
  }

  /** Begins the due deliveries of webhooks that are not sent to. */
  look(): void {
    if (this.#ending.signal.aborted || performance.now() < this.#pausedUntilMs) return;
    try {
      const now = this.#sender.now().toISOString();
      const due = this.#sender.store.webhookOutbox.due(now);
      const free = due.filter(({ webhook_id }) => !this.#busy.has(webhook_id));
      for (const delivery of free.slice(0, MAX_PARALLEL - this.#busy.size)) {
        if (claim(this.#sender, delivery)) void this.#begin(delivery);
      }
    } catch (error) {
      this.#pause(error);
    }
  }

  async #begin(delivery: DueDelivery): Promise<void> {
    const { webhook_id: webhook, event_id: message, attempts } = delivery;
    this.#busy.add(webhook);
    try {
      const result = await deliver(this.#sender, delivery, this.#ending.signal);
      if (result && !result.isAccepted) {
        const { outcome, disabled } = result;
        const attempt = attempts + 1;
        this.#logger.warn('webhook_failed', { webhook, message, attempt, outcome });
        if (disabled !== null) this.#logger.warn('webhook_disabled', { webhook, reason: disabled });
      }
    } catch (error) {
      this.#pause(error);
    } finally {
      this.#busy.delete(webhook);
      this.look();
    }
  }

  #pause(error: unknown): void {
    if (this.#ending.signal.aborted) return;
    this.#pausedUntilMs = performance.now() + PAUSE_MS;
    logFailure(this.#logger, 'webhooks_stopped', error);
  }
}
