/** Boards with all kinds of operators, created in the test's process and then served by the built server. */
import type { ProfileChange } from '#core/schema/profile.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { updateProfile } from '#server/operator/update-profile.ts';
import { bucketsOfDays } from './builders.ts';
import { type TestContext, anEnrolledDevice, submit, testContext } from './context.ts';
import { daysAgo } from '../agent/installation.ts';
import { type RunningServer, startServer } from '../http/server.ts';

/** A board at the current time, without submissions. */
export function aPresentBoard(): TestContext {
  const ctx = testContext();
  ctx.clock.nowMs = Date.now();
  return ctx;
}

/** Ten days up to yesterday that differ from each other, and from those of another `seed`. */
export function unevenDays(seed: number, over: Partial<Bucket> = {}): Bucket[] {
  return bucketsOfDays(10, daysAgo(10), over).map((bucket, day) => ({
    ...bucket,
    input: bucket.input + 100 * ((7 * day + 3 * seed) % 5),
    output: bucket.output + 1_000 * seed + 37 * ((5 * day + seed) % 7),
  }));
}

/** Operators `op-00`, `op-01` and so on, each with ten signed days. */
export async function addPeople(ctx: TestContext, people: number): Promise<void> {
  for (let seed = 0; seed < people; seed += 1) {
    const codename = `op-${String(seed).padStart(2, '0')}`;
    await submit(ctx, await anEnrolledDevice(ctx, codename), unevenDays(seed));
  }
}

/** Makes an operator identified, with this profile. */
export async function identify(ctx: TestContext, codename: string, profile: ProfileChange) {
  const { id } = ctx.store.operators.byCodename(codename) ?? { id: 0 };
  await updateProfile(ctx, id, { privacy_mode: 'identified', ...profile });
}

/** Serves the board unchanged. It is published once. */
export function serve({ config: { dataDir } }: TestContext): Promise<RunningServer> {
  return startServer({ dataDir, env: { REFRESH_SECONDS: '3600' } });
}

/** What a reader sees of a page's own part: its text without markup, in one line. */
export function textOf(html: string): string {
  const [, main = ''] = /<main[^>]*>([\s\S]*)<\/main>/.exec(html) ?? [];
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  const text = main.replaceAll(/<[^>]+>/g, '').replaceAll(/\s+/g, ' ');
  return text.replaceAll(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole);
}
