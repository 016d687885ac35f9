/** Remembers what a copied ledger held before anything was added to it here: only that is the original's. */
import { join } from 'node:path';
import * as z from 'zod';
import type { LocalDevice, Place } from '../device.ts';
import { orNull } from '../failure.ts';
import { LedgerThen, baselineNow } from '../state/baseline.ts';
import { readJson, writePrivate } from '../state/atomic-file.ts';
import { COPIED, bindingOf, placeOf } from '../state/machine.ts';
import { Ledger } from '../ledger/ledger.ts';
import { stateFolder } from '../settings.ts';

const Copied = LedgerThen.extend({
  place: z.string().nullable(),
});

type Where = Pick<Place, 'environment'>;

/** Opens the ledger of this device to change it; what it held before, if it is a copy's, is noted. */
export function openForUpdate(
  place: Where & Pick<Place, 'nowMs'>,
  { wait }: Pick<LocalDevice, 'wait'>,
): Ledger {
  noteCopy(place);
  return new Ledger(join(stateFolder(place.environment), 'ledger'), { wait });
}

/** Comes before the ledger takes what the logs tell; what was noted of a copy stays. */
function noteCopy({ environment, nowMs }: Where & Pick<Place, 'nowMs'>): void {
  const folder = stateFolder(environment);
  const bound = { environment, keystore: { folder } };
  if (bindingOf(bound).state !== 'copied' || copiedBaseline({ environment }) !== null) return;
  const ledger = new Ledger(join(folder, 'ledger'), { wait: () => Promise.resolve() });
  // A ledger that holds nothing yet, or cannot be read, tells nothing of the original.
  if (ledger.blocked || ledger.run === 0) return;
  const then = baselineNow(ledger, new Date(nowMs()).toISOString());
  const noted = JSON.stringify({ ...then, place: placeOf(bound) });
  // If it cannot be written, all that is there when the copy enrolls is taken for the original's.
  orNull(() => writePrivate(join(folder, COPIED), noted));
}

/** What the ledger of this copy held when it was noticed; null if that was not noted here. */
export function copiedBaseline({ environment }: Where): LedgerThen | null {
  const folder = stateFolder(environment);
  const copied = readJson(join(folder, COPIED), Copied);
  if (copied === null || copied.place !== placeOf({ environment, keystore: { folder } }))
    return null;
  return copied;
}
