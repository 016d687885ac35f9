import type { Sharp } from 'sharp';
import { AVATAR_LIMIT_BYTES } from '#core/contract/limits.ts';
import type { ChangedProfile } from '#core/contract/profile.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import type { AppContext } from '../context.ts';
import { sha256Hex } from '../process/crypto.ts';
import { operatorOf } from './operator.ts';
import { otherMachines } from './other-machines.ts';
import { isProfileShown, ownProfile } from './profile.ts';
import { countShowing } from './visibility.ts';

const SIDE = 256;
const MAX_PIXELS = 4096 * 4096;
const TIMEOUT_SECONDS = 5;
/** How many pictures may wait. One is decoded at a time, because decoding takes memory. */
const MAX_WAITING = 8;

/** The first bytes of the accepted formats; null stands for any byte. */
const SIGNATURES: readonly (readonly (number | null)[])[] = [
  [0xff, 0xd8, 0xff],
  [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  [0x52, 0x49, 0x46, 0x46, null, null, null, null, 0x57, 0x45, 0x42, 0x50],
];

/** The only loaders that may run. Others read files, run scripts or are slow. */
const LOADERS = ['Jpeg', 'Png', 'Webp'].map((format) => `VipsForeignLoad${format}Buffer`);

/**
 * Re-encodes a picture and stores it as the operator's picture. Resolves when the public can see it.
 */
export async function setAvatar(
  ctx: AppContext,
  operator_id: number,
  bytes: Uint8Array,
): Promise<ChangedProfile> {
  if (bytes.length > AVATAR_LIMIT_BYTES) {
    throw new DomainError(
      'payload_too_large',
      'The picture is larger than 2 MiB. Choose a smaller file',
    );
  }
  if (!SIGNATURES.some((signature) => beginsWith(bytes, signature))) {
    throw new DomainError(
      'unsupported_media_type',
      'The file is not a PNG, JPEG or WebP picture. Choose another file',
    );
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
  const hides = isSeen && former !== undefined;
  if (isSeen) await ctx.publications.publishNow({ hides });
  return { ...ownProfile(ctx, operator), ...otherMachines(ctx, hides) };
}

function beginsWith(bytes: Uint8Array, signature: readonly (number | null)[]): boolean {
  return signature.every((byte, at) => byte === null || bytes[at] === byte);
}

/** Decodes, rotates, crops and re-encodes a picture, so that only its pixels remain. */
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
    // The decoder's error may reveal its internals and does not help the user.
    throw new DomainError(
      'avatar_unacceptable',
      'The picture is damaged or larger than 4096 by 4096 pixels. Choose another file',
    );
  }
}

type Read = (bytes: Uint8Array) => Sharp;
let reader: Promise<Read> | undefined;

/** Loads the decoder on first use, because it is native code that not every machine can load. */
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
    throw new DomainError(
      'service_unavailable',
      'This board cannot process pictures. Contact the admin',
    );
  }
}

let waiting = 0;
let last: Promise<unknown> = Promise.resolve();

/** Runs one after the other. */
async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (waiting >= MAX_WAITING) {
    throw new DomainError(
      'service_unavailable',
      'The board is busy processing other pictures. Try again in a few seconds',
    );
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

export async function removeAvatar(ctx: AppContext, operator_id: number): Promise<ChangedProfile> {
  const operator = operatorOf(ctx, operator_id);
  const removed = ctx.store.avatars.remove(operator_id);
  const isSeen = removed && isProfileShown(operator) && operator.log_index > 0;
  if (isSeen) await ctx.publications.publishNow({ hides: true });
  return { ...ownProfile(ctx, operator), ...otherMachines(ctx, isSeen) };
}
