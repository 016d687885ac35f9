/** A publisher with its thread, on the board of a test. */
import { expect, onTestFinished, vi } from 'vitest';
import { utcDay } from '#core/domain/counting/day.ts';
import { createChallenge } from '#server/challenge/create-challenge.ts';
import { databasePath } from '#server/config/config.ts';
import { prepare } from '#server/http/response/prepared-response.ts';
import { Publisher, type PublisherOptions, type Render } from '#server/publication/publisher.ts';
import { earlierRanksIn } from '#server/publication/read/earlier-ranks.ts';
import type { WorkerOptions } from '#server/publication/worker.ts';
import { MIGRATIONS, type TestContext } from './context.ts';

export const WORKER = new URL('../../../src/server/publication/worker.ts', import.meta.url);

export const says: Render = async (address, publication) => {
  const headers = { 'Content-Type': 'text/x' };
  return new Response(`${address} of ${publication?.id}`, { headers });
};

/** Renders pages, and lists their addresses. */
export function reporting(rendered: string[]): Render {
  return (address, publication) => {
    rendered.push(address);
    return says(address, publication);
  };
}

/** Reads pages from the current edition, like visitors. */
export async function readFrom({ edition }: Publisher, ...addresses: string[]): Promise<void> {
  for (const address of addresses) {
    await edition?.pages.read(address, () => prepare(Buffer.from('read'), {}));
  }
}

export function workerOf({ config, ruleset }: TestContext): WorkerOptions {
  const { valuesDays } = config;
  return { databasePath: databasePath(config), migrations: MIGRATIONS, ruleset, valuesDays };
}

/** Publishes only on request. Closed after the test. */
export function aPublisher(ctx: TestContext, over: Partial<PublisherOptions> = {}): Publisher {
  const publisher = new Publisher({
    workerUrl: WORKER,
    worker: workerOf(ctx),
    refreshMs: 3_600_000,
    earlier: (as_of) => earlierRanksIn(ctx.store, as_of),
    addresses: () => ['/', '/board'],
    render: says,
    now: ctx.now,
    steadyMs: () => ctx.now().getTime(),
    logger: ctx.logger,
    ...over,
  });
  onTestFinished(() => publisher.close());
  return publisher;
}

/** Lets the board read from a publisher, and publish through it, as the server does. */
export async function publishThrough(ctx: TestContext, publisher: Publisher): Promise<void> {
  ctx.publications = {
    current: () => publisher.edition?.publication ?? null,
    byId: (id, as_of) => publisher.publication(id, as_of),
    publishNow: (written) => publisher.publishNow(written),
  };
  await publisher.start();
}

/** Changes the board's public data with a challenge, and publishes that as a scheduled publication. */
export async function publishChange(ctx: TestContext, publisher: Publisher): Promise<void> {
  const request = {
    id: `number-${ctx.store.challenges.all().length}`,
    title: 'A challenge',
    description: 'A test.',
    metric: 'yield',
    tool: null,
    first_day: utcDay(ctx.clock.nowMs + 7 * 86_400_000),
    last_day: utcDay(ctx.clock.nowMs + 14 * 86_400_000),
    eligibility: {},
  };
  createChallenge(ctx.store, request, { ruleset: ctx.ruleset, now: ctx.now() });
  await publisher.publish();
}

/** Resolves when the current publication is stored, which is after it is public. */
export async function untilStored({ store }: TestContext, { edition }: Publisher): Promise<void> {
  const isStored = () => expect(store.publications.kept()[0]?.id).toBe(edition?.publication.id);
  await vi.waitFor(isStored, { timeout: 20_000 });
}
