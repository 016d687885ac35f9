import { BODY_LIMIT_BYTES, type LimitName } from '#core/contract/limits.ts';
import type { AppContext } from '../context.ts';

/** Whose submission it is, and how large. */
interface Sender {
  operator_id: number;
  /** What stands for the device: what is sent by hand has a day of its own. */
  device: string;
  bytes: number;
}

/**
 * Counts a submission against what its sender may store. One that is refused, or that is only tried,
 * does not count: the limit of writes bounds the work that it makes. Only the limit of snapshots a minute
 * counts large ones anyway, because checking them is most of their work.
 *
 * @throws {QuotaError} if a window has no room for it, and what `submit` throws.
 */
export async function withinSubmissionQuota<Result>(
  { limiter }: Pick<AppContext, 'limiter'>,
  { operator_id, device, bytes }: Sender,
  submit: () => Promise<Result>,
  isTried = false,
): Promise<Result> {
  const operator = String(operator_id);
  const wanted: readonly (readonly [LimitName, string, number])[] = [
    ['snapshots', operator, 1],
    ['account', operator, 1],
    ['account_bytes', operator, bytes],
    ['device', device, 1],
    ['device_bytes', device, bytes],
  ];
  const taken: (typeof wanted)[number][] = [];
  const giveBack = () => {
    for (const [policy, client, cost] of taken) {
      const isKept = policy === 'snapshots' && bytes > BODY_LIMIT_BYTES;
      if (!isKept) limiter.giveBack(policy, client, cost);
    }
  };
  try {
    for (const one of wanted) {
      const [policy, client, cost] = one;
      limiter.take(policy, client, { cost });
      taken.push(one);
    }
    const result = await submit();
    if (isTried) giveBack();
    return result;
  } catch (error) {
    giveBack();
    throw error;
  }
}
