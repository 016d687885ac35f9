import type { Sharp } from 'sharp';
import { AVATAR_LIMIT_BYTES } from '#core/contract/limits.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import type { Profile } from '#core/schema/profile.ts';
import type { AppContext } from '../context.ts';
import { sha256Hex } from '../process/crypto.ts';
import { operatorOf } from './operator.ts';
import { isProfileShown, ownProfile } from './profile.ts';
import { countShowing } from './visibility.ts';

const SIDE = 256;
const MAX_PIXELS = 4096 * 4096;
const TIMEOUT_SECONDS = 5;
/** Pictures that may wait for their turn: one at a time is decoded, because that takes memory. */
const MAX_WAITING = 8;

/** How the formats begin that are read; null stands for any byte. */
const SIGNATURES: readonly (readonly (number | null)[])[] = [
  [0xff, 0xd8, 0xff],
  [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  [0x52, 0x49, 0x46, 0x46, null, null, null, null, 0x57, 0x45, 0x42, 0x50],
];

/** The only loaders that may run: others read files, run scripts or take long. */
const LOADERS = ['Jpeg', 'Png', 'Webp'].map((format) => `VipsForeignLoad${format}Buffer`);

/**
 * Makes a picture of the bytes and gives it to an operator in place of the one before. Kept when the public sees
 * it.
 */
export async function setAvatar(ctx: AppContext, operator_id: number, bytes: Uint8Array) {
  if (bytes.length > AVATAR_LIMIT_BYTES) {
    throw new DomainError('payload_too_large', 'The picture is larger than 2 MiB');
  }
  if (!SIGNATURES.some((signature) => beginsWith(bytes, signature))) {
    throw new DomainError('unsupported_media_type', 'The file is no PNG, JPEG or WebP');
  }
  const body = await inTurn(() => makeAvatar(bytes));
  const hash = sha256Hex(body);
  const { operator, former, isSeen } = ctx.store.transaction(() => {
    const owner = operatorOf(ctx, operator_id);
    const earlier = ctx.store.avatars.hashOf(operator_id);
    const isSeen = hash !== earlier && isProfileShown(owner) && owner.log_index > 0;
    if (isSeen) countShowing(ctx, operator_id);
    const updated_at = ctx.now().toISOString();
    ctx.store.avatars.set({ operator_id, hash, body, updated_at });
    return { operator: owner, former: earlier, isSeen };
  });
  if (isSeen) await ctx.publications.publishNow({ hides: former !== undefined });
  return ownProfile(ctx, operator);
}

function beginsWith(bytes: Uint8Array, signature: readonly (number | null)[]): boolean {
  return signature.every((byte, at) => byte === null || bytes[at] === byte);
}

/** Decodes, turns upright, cuts and encodes: nothing of the file but its pixels is left. */
async function makeAvatar(bytes: Uint8Array): Promise<Uint8Array> {
  const read = await loadReader();
  try {
    return await read(bytes)
      .autoOrient()
      .resize(SIDE, SIDE, { fit: 'cover' })
      .webp()
      .timeout({ seconds: TIMEOUT_SECONDS })
      .toBuffer();
  } catch {
    // What the decoder says may tell of its insides, and helps nobody.
    throw new DomainError('avatar_unacceptable', 'The picture is damaged, or has too many pixels');
  }
}

type Read = (bytes: Uint8Array) => Sharp;
let reader: Promise<Read> | undefined;

/** The decoder is native code that not every machine can load, so it is loaded when it is needed. */
async function loadReader(): Promise<Read> {
  reader ??= import('sharp').then(({ default: sharp }) => {
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({ operation: LOADERS });
    sharp.concurrency(1);
    sharp.cache(false);
    return (bytes) =>
      sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'warning', sequentialRead: true });
  });
  try {
    return await reader;
  } catch {
    throw new DomainError('service_unavailable', 'Pictures cannot be read on this machine');
  }
}

let waiting = 0;
let last: Promise<unknown> = Promise.resolve();

/** Runs one after the other. */
async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (waiting >= MAX_WAITING) {
    throw new DomainError('service_unavailable', 'Too many pictures are waiting');
  }
  waiting += 1;
  const mine = last.then(work);
  last = mine.catch(() => undefined);
  try {
    return await mine;
  } finally {
    waiting -= 1;
  }
}

export async function removeAvatar(ctx: AppContext, operator_id: number): Promise<Profile> {
  const operator = operatorOf(ctx, operator_id);
  const removed = ctx.store.avatars.remove(operator_id);
  const isSeen = removed && isProfileShown(operator) && operator.log_index > 0;
  if (isSeen) await ctx.publications.publishNow({ hides: true });
  return ownProfile(ctx, operator);
}
